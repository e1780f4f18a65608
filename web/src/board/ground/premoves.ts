/** A move ahead of its turn, as far as it is put together: the piece that was taken up, or the move that waits. */

import type { Color } from '../../net/protocol';
import type { Placement, Square } from '../../notation/pieces';
import type { BoardView } from '../core/play-board';
import type { Ground } from './ground';

export interface Premove {
  from: Square;
  to: Square;
}

/** Ahead of its turn a king goes anywhere: to mark all that would say nothing. */
const MANY = 20;

export const textOf = ({ from, to }: Premove): string => `${from}-${to}`;

export class Premoves {
  /** The piece that was taken up. */
  from: Square | null = null;
  waiting: Premove | null = null;
  /** Who may move ahead of his turn. */
  private color: Color | null = null;
  private standing: Placement = new Map();

  constructor(private readonly ground: Ground) {}

  /** What stands where, and who may move on it ahead of his turn; `fresh` is what was not so before. */
  show({ premoveColor, turn }: Pick<BoardView, 'premoveColor' | 'turn'>, standing: Placement, fresh: boolean): void {
    this.color = premoveColor === turn ? null : (premoveColor ?? null);
    this.standing = standing;
    if (fresh) this.from = null;
  }

  get any(): boolean {
    return this.color !== null;
  }

  /** Wherever the piece on `from` could ever get in one move. */
  targets(from: Square): Square[] {
    const { standing } = this;
    const piece = standing.get(from);
    if (piece === undefined || piece.color !== this.color) return [];
    return [...this.ground.places.keys()].filter((to) => standing.get(to)?.color !== piece.color && this.ground.reaches(piece, from, to));
  }

  /** The places to mark for the piece in the hand. */
  marks(): Square[] {
    const to = this.from === null ? [] : this.targets(this.from);
    return to.length < MANY ? to : [];
  }

  moves(): string[] {
    return [...this.standing.keys()].flatMap((from) => this.targets(from).map((to) => textOf({ from, to })));
  }

  /** Let it wait; false for what could never be a move. */
  set(from: Square, to: Square): boolean {
    if (!this.targets(from).includes(to)) return false;
    this.waiting = { from, to };
    return true;
  }

  /**
   * A place was pressed, and what waited is dropped. The piece that was taken up is to go there, unless pieces are only
   * dragged; or else the piece there is taken up, or was already.
   */
  press(square: Square | null, isOnlyDragged: boolean): 'nothing' | 'took' | 'held' {
    const { from } = this;
    this.forget();
    if (square === null) return 'nothing';
    if (from !== null && square !== from && !isOnlyDragged && this.set(from, square)) return 'nothing';
    if (this.standing.get(square)?.color !== this.color) return 'nothing';
    this.from = square;
    return square === from ? 'held' : 'took';
  }

  /** Whether there was anything. */
  forget(): boolean {
    const had = this.waiting !== null || this.from !== null;
    this.waiting = null;
    this.from = null;
    return had;
  }
}
