/** The list of running games that match a filter, refreshed every few seconds. */

import { query } from '../net/api';
import type { LiveCards } from '../net/protocol';
import type { LiveFilter } from './live-filter';
import { miniOfCard } from './mini';
import type { MiniGames } from './mini-games';
import { stableOrder } from './stable-order';

const EVERY_MS = 4_000;
const A_PAGE = 60;
/** The server lists no more: the most watched ones. A filter finds others. */
const MOST = 100;
/** How long a finished game keeps its place. */
const END_SEEN_MS = 8_000;

export class LiveList {
  /** In display order; null before the first answer. */
  shown: string[] | null = null;
  state: 'loading' | 'there' | 'failed' | 'stranger' = 'loading';
  /** How many games match, each board of a simul included; null if the server does not say it. */
  total: number | null = null;
  /** By game that stands for all boards of its simul, their number. */
  private readonly boards = new Map<string, number>();
  private limit = A_PAGE;
  private told = 0;
  private filter: LiveFilter;
  private loading: AbortController | null = null;
  private readonly ended = new Map<string, number>();
  private readonly ticker: ReturnType<typeof setInterval>;

  constructor(
    filter: LiveFilter,
    private readonly minis: MiniGames,
    private readonly changed: () => void,
  ) {
    this.filter = filter;
    this.ticker = setInterval(() => document.hidden || void this.load(), EVERY_MS);
    void this.load();
  }

  /** Whether there may be more than are shown. */
  get more(): boolean {
    return this.told >= this.limit && this.limit < MOST;
  }

  /** The simul that the tile of `g` stands for, with its number of boards; null for a single game. */
  simul(g: string): { simul: string; boards: number } | null {
    const [simul, boards] = [this.minis.get(g)?.simul, this.boards.get(g)];
    return simul != null && boards !== undefined ? { simul, boards } : null;
  }

  close(): void {
    clearInterval(this.ticker);
    this.loading?.abort();
  }

  ask(filter: LiveFilter): void {
    this.filter = filter;
    this.limit = A_PAGE;
    this.shown = null;
    this.state = 'loading';
    void this.load();
  }

  extend(): void {
    if (!this.more || this.state !== 'there') return;
    this.limit = Math.min(MOST, this.limit + A_PAGE);
    void this.load();
  }

  /** A game has changed: from its end on it is kept for a while. */
  noteEnd(g: string, now: number): void {
    if (this.minis.get(g)?.status === 'over' && !this.ended.has(g)) this.ended.set(g, now);
  }

  private async load(): Promise<void> {
    this.loading?.abort();
    const asking = (this.loading = new AbortController());
    const answer = await asked(`/api/v1/live${query({ ...this.filter, limit: this.limit })}`, asking.signal);
    if (asking.signal.aborted) return;
    if (typeof answer !== 'string') this.take(answer, performance.now());
    else if (answer === 'stranger' || this.state !== 'there') this.state = answer;
    this.changed();
  }

  private take({ games: cards, total }: LiveCards, now: number): void {
    this.state = 'there';
    this.told = cards.length;
    this.total = total ?? null;
    for (const [g, at] of this.ended) if (now - at > 2 * END_SEEN_MS) this.ended.delete(g);
    // The list may be older than the end of a game.
    const listed = cards.filter(({ g }) => !this.ended.has(g));
    for (const card of listed) this.minis.hint(miniOfCard(card));
    this.boards.clear();
    for (const { g, boards } of listed) if (boards !== undefined) this.boards.set(g, boards);
    // The tile of a simul shows another board at once.
    const simuls = new Set(listed.flatMap(({ simul, boards }) => (simul !== undefined && boards !== undefined ? [simul] : [])));
    const lingers = (g: string) => now - (this.ended.get(g) ?? -Infinity) < END_SEEN_MS && !simuls.has(this.minis.get(g)?.simul ?? '');
    this.shown = stableOrder(this.shown ?? [], listed.map(({ g }) => g), lingers, this.limit);
    this.minis.keep(this.shown);
  }
}

/** `stranger`: a session is needed to know whose friends. `failed`: no valid answer. */
async function asked(address: string, signal: AbortSignal): Promise<LiveCards | 'stranger' | 'failed'> {
  try {
    const response = await fetch(address, { signal });
    if (response.status === 401) return 'stranger';
    return response.ok ? ((await response.json()) as LiveCards) : 'failed';
  } catch {
    return 'failed';
  }
}
