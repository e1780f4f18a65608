/** The archive of all games, with a filter. */

import { html, render } from 'lit-html';
import type { App } from '../app';
import { GamesList } from '../people/games-list';
import { emptyList } from '../ui/message';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class ArchivePage implements Page {
  private readonly games: GamesList;

  constructor(app: App) {
    this.games = new GamesList(app, null);
    document.title = say('app.title', { page: say('archive.title') });
  }

  close(): void {
    this.games.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="column">
        <div class="titled">
          <h1>${say('archive.title')}</h1>
          <div class="buttons">${this.games.drawFiles()}</div>
        </div>
        <section class="card" aria-label=${say('archive.title')}>
          ${this.games.draw(null, emptyList(say('archive.empty')))}
        </section>
      </div>`,
      root,
    );
  }
}
