/** Exhibitions: one plays against many. None can be announced yet, which the page says. */

import { html, render } from 'lit-html';
import type { Page } from '../app';
import { say } from '../words';
import { toLobby } from './message';

export class SimulsPage implements Page {
  constructor() {
    document.title = say('app.title', { page: say('simuls.title') });
  }

  close(): void {
    // Nothing is held.
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="column" data-testid="simuls">
        <h1>${say('simuls.title')}</h1>
        <p>${say('simuls.about')}</p>
        <section class="card">
          <p class="empty">${say('simuls.empty')}</p>
          <p>${say('simuls.meanwhile')}</p>
          <div class="buttons">${toLobby()}</div>
        </section>
      </div>`,
      root,
    );
  }
}
