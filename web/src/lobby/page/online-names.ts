/** A few of the people who are online, with a link to all. Its line is there before the names are. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { Online } from '../../net/protocol';
import { personLink } from '../../ui/person-name';
import { Resource } from '../../ui/resource';
import { say } from '../../words/words';

const MOST = 5;
const EVERY_MS = 60_000;

export class OnlineNames {
  private readonly online: Resource<Online>;
  private readonly ticker: ReturnType<typeof setInterval>;

  constructor(private readonly app: Pick<App, 'changed' | 'socket'>) {
    this.online = new Resource('/api/v1/online', () => app.changed());
    this.ticker = setInterval(() => document.hidden || void this.online.load(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.online.close();
  }

  draw(): TemplateResult {
    const me = this.app.socket.user?.id;
    const others = (this.online.value?.users ?? []).filter(({ user }) => user.id !== me).slice(0, MOST);
    return html`<p class="lobby-online" data-testid="online-names">
      <a href="/players" data-page>${say('players.online')}</a>
      ${others.map(({ user }) => html`<span>${personLink(user)}</span> `)}
    </p>`;
  }
}
