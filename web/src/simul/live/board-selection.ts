/** Which board is shown large: the one where the host is, or another that the person has picked. */

import type { SimulSnapshot } from '../../net/protocol';
import type { SimulStore } from '../state/simul-store';

export interface SelectionActions {
  /** Take the host to `board`; settles when the server has answered. */
  go(board: number): Promise<unknown>;
  changed(): void;
}

export class BoardSelection {
  /** Number of the board; null before there is one. */
  shown: number | null = null;
  /** Who watches goes where the host goes. */
  following = true;
  /** Where the host was when this was looked at last. */
  private at: number | null = null;
  /** Where the host was sent to begin with, and has said that he is. */
  private begun = false;
  /** Ways that the host has asked for and that are not answered. */
  private underway = 0;

  constructor(
    private readonly store: SimulStore,
    private readonly actions: SelectionActions,
  ) {}

  /** The host has asked for a way that the server has not told of yet. */
  get going(): boolean {
    return this.underway > 0;
  }

  /** Show `board`: the host goes there. At once; the server is told meanwhile. In a break he only looks. */
  pick(board: number): void {
    const { now } = this.store;
    const known = this.store.boards.get(board);
    if (now === null || known === undefined) return;
    this.shown = board;
    this.following = now.you !== 'host' && now.at === board && this.following;
    // To a board that is over nobody goes; it may be looked at.
    if (now.you === 'host' && now.status === 'running' && known.status !== 'over' && now.at !== board && now.break_until === null) void this.go(board);
    this.actions.changed();
  }

  /** Who watches: with the host again, or not. */
  follow(on: boolean): void {
    this.following = on;
    if (on) this.shown = this.store.now?.at ?? this.shown;
    this.actions.changed();
  }

  /** After every message, and before drawing. `first`: what to begin with where nothing else says it. */
  keep(first: () => number | null): void {
    const { now } = this.store;
    if (now === null) return;
    const host = now.you === 'host';
    const moved = now.at !== this.at;
    // What the host has asked for himself is shown already, and older news of his way does not undo it.
    if (moved && this.underway === 0) {
      this.at = now.at;
      if (now.at !== null && (host || this.following)) this.shown = now.at;
    }
    if (this.shown === null || !this.store.boards.has(this.shown)) this.shown = now.at ?? first();
    if (host) this.begin(now);
  }

  /** Where clocks run everywhere nobody sends the host anywhere: that he is at the board he is shown first, he says himself. Once. */
  private begin({ mode, status, at, break_until }: SimulSnapshot): void {
    if (this.begun || mode !== 'clock' || status !== 'running' || break_until !== null) return;
    if (at === null && this.shown === null) return;
    this.begun = true;
    if (at === null && this.shown !== null && this.store.boards.get(this.shown)?.status !== 'over') void this.go(this.shown);
  }

  private async go(board: number): Promise<void> {
    this.underway += 1;
    try {
      await this.actions.go(board);
    } finally {
      this.underway -= 1;
      if (this.underway === 0) {
        // What came of it; where it was refused he is where he was, looks at the other board, and is told so there.
        this.at = this.store.now?.at ?? null;
        this.actions.changed();
      }
    }
  }
}
