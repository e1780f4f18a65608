/** Simuls on the lobby's page: those that run, then those that can be joined. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { query } from '../../net/api';
import type { SimulCard, SimulsPage } from '../../net/protocol';
import { simulRows } from '../../simul/text/rows';
import { emptyCreate } from '../../ui/message';
import { Resource } from '../../ui/resource';
import { say } from '../../words/words';

const MOST = 5;
const EVERY_MS = 60_000;
/** Many lobbies see an open simul begin at once: their requests are spread over this time. */
const SPREAD_MS = 3_000;

export class LobbySimuls {
  private readonly running: Resource<SimulsPage>;
  private readonly ticker: ReturnType<typeof setInterval>;
  private waits: ReturnType<typeof setTimeout> | undefined;
  /** The open ones when last drawn. */
  private open: readonly string[] = [];

  constructor(private readonly app: Pick<App, 'changed' | 'socket'>) {
    this.running = new Resource(`/api/v1/simuls${query({ status: 'running', limit: MOST })}`, () => app.changed());
    this.ticker = setInterval(() => document.hidden || void this.running.load(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    clearTimeout(this.waits);
    this.running.close();
  }

  draw(open: readonly SimulCard[]): TemplateResult {
    this.note(open.map(({ simul }) => simul));
    const running = this.running.value?.simuls ?? [];
    const cards = [...running, ...open.filter(({ simul }) => !running.some((other) => other.simul === simul))].slice(0, MOST);
    return html`<section class="card lobby-simuls" aria-labelledby="simuls-title" data-testid="lobby-simuls">
      <h2 id="simuls-title">${say('simuls.title')} <a href="/simuls" data-page>${say('live.all')}</a></h2>
      ${cards.length > 0
        ? simulRows(cards, this.app.socket.time.now())
        : this.running.value === null
          ? nothing
          : emptyCreate(say('simuls.empty.all'), '/simuls?create', say('simuls.empty.create'))}
    </section>`;
  }

  /** One that is not open any more may have begun. */
  private note(open: readonly string[]): void {
    if (this.open.some((simul) => !open.includes(simul))) {
      clearTimeout(this.waits);
      this.waits = setTimeout(() => void this.running.load(), Math.random() * SPREAD_MS);
    }
    this.open = open;
  }
}
