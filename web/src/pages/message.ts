/** Pages that only say what is wrong and where to go from here. */

import { html, render, type TemplateResult } from 'lit-html';
import type { Page } from '../app';
import { say } from '../words/words';

/** A card with a title, a sentence, and ways out. */
export function message(title: string, text: string, ways: TemplateResult = toLobby()): TemplateResult {
  return html`<section class="card narrow message" data-testid="message">
    <h1>${title}</h1>
    <p>${text}</p>
    <div class="buttons">${ways}</div>
  </section>`;
}

export const toLobby = (): TemplateResult =>
  html`<a class="button main" href="/" data-page>${say('to.lobby')}</a>
    <a class="button" href="/live" data-page>${say('to.live')}</a>`;

export class MissingPage implements Page {
  constructor() {
    document.title = say('app.title', { page: say('missing.title') });
  }

  close(): void {
    // Nothing is held.
  }

  draw(root: HTMLElement): void {
    render(message(say('missing.title'), say('missing.text')), root);
  }
}

export class BrokenPage implements Page {
  constructor() {
    document.title = say('app.title', { page: say('broken.title') });
  }

  close(): void {
    // Nothing is held.
  }

  draw(root: HTMLElement): void {
    // All of it: a browser may remember that a file of it did not come.
    const again = html`<button class="main" @click=${() => location.reload()}>${say('broken.again')}</button>
      <a class="button" href="/" data-page>${say('to.lobby')}</a>`;
    render(message(say('broken.title'), say('broken.text'), again), root);
  }
}
