/** A message in place of a page: what is wrong, and where to go. */

import { html, type TemplateResult } from 'lit-html';
import { say } from '../words/words';

/** A card with a title, a sentence, and links. */
export function message(title: string, text: string, ways: TemplateResult = toLobby()): TemplateResult {
  return html`<section class="card narrow message" data-testid="message">
    <h1>${title}</h1>
    <p>${text}</p>
    <div class="buttons">${ways}</div>
  </section>`;
}

/** In place of an empty list: why it is empty, and where to go. */
export const emptyList = (text: string, ways: TemplateResult = toPlay()): TemplateResult =>
  html`<p class="empty">${text}</p>
    <div class="buttons">${ways}</div>`;

/** In place of an empty list whose first entry the person can make. */
export const emptyCreate = (text: string, href: string, label: string): TemplateResult =>
  html`<p class="empty">${text} <a href=${href} data-page>${label}</a></p>`;

export const toPlay = (): TemplateResult => html`<a class="button main" href="/" data-page>${say('to.play')}</a>`;

export const toLobby = (): TemplateResult =>
  html`<a class="button main" href="/" data-page>${say('to.lobby')}</a>
    <a class="button" href="/live" data-page>${say('to.live')}</a>`;
