/** One list of simuls: running, open, then finished ones, refreshed while it is shown, with more on request. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { call, query } from '../../net/api';
import type { SimulCard, SimulsPage } from '../../net/protocol';
import { emptyCreate } from '../../ui/message';
import { Resource } from '../../ui/resource';
import { say } from '../../words/words';
import { simulRows } from '../text/rows';

/** Everybody's simuls, or those of the person: as host, player or stand-in. */
export const LISTS = ['all', 'mine'] as const;
export type ListName = (typeof LISTS)[number];

const EVERY_MS = 8_000;
/** What is finished changes seldom, and only its first lines. */
const FINISHED_EVERY_MS = 60_000;

/** Simuls of one status, newest first. */
interface Stage {
  status: 'running' | 'open' | 'finished' | 'mine';
  first: Resource<SimulsPage>;
  /** Pages after the first. */
  more: SimulCard[];
  /** The next page; undefined before the second was loaded. */
  next: string | null | undefined;
}

export class SimulList {
  private readonly stages: readonly Stage[];
  private readonly tickers: readonly ReturnType<typeof setInterval>[];
  private busy = false;

  constructor(
    private readonly app: App,
    readonly name: ListName,
  ) {
    const statuses = name === 'mine' ? (['mine'] as const) : (['running', 'open', 'finished'] as const);
    this.stages = statuses.map((status) => ({
      status,
      first: new Resource(`/api/v1/simuls${query({ status })}`, () => app.changed()),
      more: [],
      next: undefined,
    }));
    this.tickers = this.stages.map(({ status, first }) =>
      setInterval(() => document.hidden || void first.load(), status === 'finished' ? FINISHED_EVERY_MS : EVERY_MS),
    );
  }

  close(): void {
    for (const ticker of this.tickers) clearInterval(ticker);
    for (const { first } of this.stages) first.close();
  }

  draw(): TemplateResult {
    // There is nothing without a session.
    if (this.name === 'mine' && this.app.socket.user === null) return empty(this.name);
    const waits = this.stages.find(({ first }) => first.value === null && first.state !== 'missing');
    if (waits) return waits.first.draw();
    // A simul that has begun or ended since is in two pages.
    const cards = new Map<string, SimulCard>();
    for (const { first, more } of this.stages) {
      for (const card of [...(first.value?.simuls ?? []), ...more]) if (!cards.has(card.simul)) cards.set(card.simul, card);
    }
    if (cards.size === 0) return empty(this.name);
    const longer = this.stages.find((stage) => nextOf(stage) !== null);
    return html`${simulRows(byStatus([...cards.values()]), this.app.socket.time.now())}
      ${longer === undefined
        ? nothing
        : html`<div class="buttons"><button data-testid="simuls-more" aria-disabled=${String(this.busy)} @click=${() => this.load(longer)}>${say('simuls.more')}</button></div>`}`;
  }

  private async load(stage: Stage): Promise<void> {
    const before = nextOf(stage);
    if (this.busy || before === null) return;
    this.busy = true;
    const page = await this.app.attempt(() => call<SimulsPage>('GET', `/api/v1/simuls${query({ status: stage.status, before })}`));
    this.busy = false;
    if (page) {
      stage.more.push(...page.simuls);
      stage.next = page.next;
    }
    this.app.changed();
  }
}

const nextOf = ({ first, next }: Stage): string | null => (next === undefined ? (first.value?.next ?? null) : next);

const RANKS: readonly string[] = ['running', 'created', 'finished', 'cancelled'];

/** Running first, then open, then finished ones; the order of the server within a status. */
export const byStatus = (cards: readonly SimulCard[]): SimulCard[] => cards.toSorted((one, other) => RANKS.indexOf(one.status) - RANKS.indexOf(other.status));

const empty = (name: ListName): TemplateResult => html`<div data-testid="no-simuls">
  ${name === 'all'
    ? emptyCreate(say('simuls.empty.all'), '/simuls?create', say('simuls.empty.create'))
    : html`<p class="empty">${say('simuls.empty.mine')}</p>`}
</div>`;
