/** All games being played now, to watch. */

import { html, render } from 'lit-html';
import type { App, Page } from '../app';
import { LiveGames } from '../live-games';
import { say } from '../words';

const SHOWN = 50;

export class LivePage implements Page {
  private readonly live: LiveGames;

  constructor(app: App) {
    this.live = new LiveGames(SHOWN, app.socket.time, () => app.changed());
    document.title = say('app.title', { page: say('live.title') });
  }

  close(): void {
    this.live.close();
  }

  draw(root: HTMLElement): void {
    render(html`<h1>${say('live.title')}</h1>${this.live.draw()}`, root);
  }
}
