/** Pages that only say what is wrong: no such page, or one that could not be loaded. */

import { html, render } from 'lit-html';
import { message } from '../ui/message';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class MissingPage implements Page {
  constructor() {
    document.title = say('app.title', { page: say('missing.title') });
  }

  close(): void {
    // Nothing to release.
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
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    // The whole document: a browser may cache the failure of a chunk.
    const again = html`<button class="main" @click=${() => location.reload()}>${say('broken.again')}</button>
      <a class="button" href="/" data-page>${say('to.lobby')}</a>`;
    render(message(say('broken.title'), say('broken.text'), again), root);
  }
}
