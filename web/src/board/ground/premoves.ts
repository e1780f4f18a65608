/** Premoves: the selected piece, or the premove that waits. */

import type { Color } from '../../net/protocol';
import type { Placement, Square } from '../../notation/pieces';
import type { BoardView } from '../core/play-board';
import type { Ground } from './ground';

export interface Premove {
  from: Square;
  to: Square;
  /** It was made on the person's own turn, in the moment before they may move. */
  soon: boolean;
}

/** A flying king can reach almost everything; marking all of it would say nothing. */
const MANY = 20;

export const textOf = ({ from, to }: Pick<Premove, 'from' | 'to'>): string => `${from}-${to}`;

export class Premoves {
  /** The selected square. */
  from: Square | null = null;
  waiting: Premove | null = null;
  /** The side that may premove. */
  private color: Color | null = null;
  private soon = false;
  private standing: Placement = new Map();

  constructor(private readonly ground: Ground) {}

  /** Set the position and the side that may premove; `fresh`: either has changed. */
  show({ premoveColor, turn, soon }: Pick<BoardView, 'premoveColor' | 'turn' | 'soon'>, standing: Placement, fresh: boolean): void {
    this.color = premoveColor === turn && !soon ? null : (premoveColor ?? null);
    this.soon = soon === true;
    this.standing = standing;
    if (fresh) this.from = null;
  }

  get any(): boolean {
    return this.color !== null;
  }

  /** Squares that the piece on `from` could ever reach in one move. */
  targets(from: Square): Square[] {
    const { standing } = this;
    const piece = standing.get(from);
    if (piece === undefined || piece.color !== this.color) return [];
    return [...this.ground.places.keys()].filter((to) => standing.get(to)?.color !== piece.color && this.ground.reaches(piece, from, to));
  }

  /** Squares to mark for the selected piece. */
  marks(): Square[] {
    const to = this.from === null ? [] : this.targets(this.from);
    return to.length < MANY ? to : [];
  }

  moves(): string[] {
    return [...this.standing.keys()].flatMap((from) => this.targets(from).map((to) => textOf({ from, to })));
  }

  /** Set the premove; false if it can never be legal. */
  set(from: Square, to: Square): boolean {
    if (!this.targets(from).includes(to)) return false;
    this.waiting = { from, to, soon: this.soon };
    return true;
  }

  /**
   * A square was pressed, which cancels the premove. The selected piece is premoved there, unless pieces are only
   * dragged; else the piece there gets selected, or was already.
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

  /** Whether there was anything to cancel. */
  forget(): boolean {
    const had = this.waiting !== null || this.from !== null;
    this.waiting = null;
    this.from = null;
    return had;
  }
}
