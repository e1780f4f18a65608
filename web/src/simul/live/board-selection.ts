/** The board shown large: the host's, or one that the person selected. */

import type { SimulSnapshot } from '../../net/protocol';
import { actsAsHost, type SimulStore } from '../state/simul-store';

export interface SelectionActions {
  /** Take the host to `board`; resolves after the server's answer. */
  go(board: number): Promise<unknown>;
  changed(): void;
}

export class BoardSelection {
  /** Number of the board; null before there is one. */
  shown: number | null = null;
  /** Whether a spectator follows the host. */
  following = true;
  /** The host's board when last checked. */
  private at: number | null = null;
  /** Whether the host has announced the first board. */
  private begun = false;
  /** Requests of the host to go elsewhere that are not answered yet, and the board of the last one. */
  private underway = 0;
  private asked: number | null = null;

  constructor(
    private readonly store: SimulStore,
    private readonly actions: SelectionActions,
  ) {}

  /** Whether such a request is open. */
  get going(): boolean {
    return this.underway > 0;
  }

  /**
   * Show `board`, and take the host there. It is shown at once while the server is told. During a break the host only
   * looks.
   */
  pick(board: number): void {
    const { now } = this.store;
    const known = this.store.boards.get(board);
    if (now === null || known === undefined) return;
    this.shown = board;
    this.following = !actsAsHost(now) && now.at === board && this.following;
    // A finished board is only looked at.
    const at = this.going ? this.asked : now.at;
    if (actsAsHost(now) && now.status === 'running' && known.status !== 'over' && at !== board && now.break_until === null) void this.go(board);
    this.actions.changed();
  }

  /** Follow the host, or stop following. */
  follow(on: boolean): void {
    this.following = on;
    if (on) this.shown = this.store.now?.at ?? this.shown;
    this.actions.changed();
  }

  /** Call after each message and before drawing. `first`: the board to start with. */
  keep(first: () => number | null): void {
    const { now } = this.store;
    if (now === null) return;
    const host = actsAsHost(now);
    const moved = now.at !== this.at;
    // The host's own choice is shown already; older news must not undo it.
    if (moved && this.underway === 0) {
      this.at = now.at;
      if (now.at !== null && (host || this.following)) this.shown = now.at;
    }
    if (this.shown === null || !this.store.boards.has(this.shown)) this.shown = now.at ?? first();
    if (host) this.begin(now);
  }

  /**
   * In `clock` mode nobody sends the host anywhere: the page announces, once, that they are at the first board shown.
   */
  private begin({ mode, status, at, break_until }: SimulSnapshot): void {
    if (this.begun || mode !== 'clock' || status !== 'running' || break_until !== null) return;
    if (at === null && this.shown === null) return;
    this.begun = true;
    if (at === null && this.shown !== null && this.store.boards.get(this.shown)?.status !== 'over') void this.go(this.shown);
  }

  private async go(board: number): Promise<void> {
    this.underway += 1;
    this.asked = board;
    try {
      await this.actions.go(board);
    } finally {
      this.underway -= 1;
      if (this.underway === 0) {
        // If it was refused, the host is where they were, looks at the other board, and is told so.
        this.at = this.store.now?.at ?? null;
        this.actions.changed();
      }
    }
  }
}
