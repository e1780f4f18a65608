/** The interface of a board, whatever the game. */

import type { Color, Leaps } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { Destinations } from '../../notation/uci';
import type { MovePath } from './move-path';

/** Event of a board's element: a piece was clicked that cannot move, because others can capture. */
export const MUST_CAPTURE = 'must-capture';

export interface BoardView {
  fen: string;
  bottom: Color;
  turn: Color;
  /** Squares of the last move. */
  last: readonly Square[];
  check: boolean;
  /** Destinations of the person's pieces; null when they may not move. */
  destinations: Destinations | null;
  /** Paths of the legal captures. */
  leaps?: LegalLeaps | null;
  /** Path of the last move; null if not known or a plain step. */
  movePath?: MovePath | null;
  /** Squares of a suggested move, in the order of its path. */
  hint?: readonly Square[];
  /** The side that may premove. */
  premoveColor?: Color | null;
  /** It is their turn, and they may move in a moment: a move is kept like a premove until then. */
  soon?: boolean;
  /** Kings castle from anywhere on their first rank, as in Chess960. */
  castlesAnywhere?: boolean;
  /** What a pawn may become, by letters. */
  promotions?: string;
  /** Class names of squares that are marked. */
  marks?: ReadonlyMap<Square, string>;
  /** Not to show where a piece can go: pieces can be put anywhere. */
  hidesTargets?: boolean;
}

/** All paths of each move. */
export type LegalLeaps = Readonly<Record<string, readonly Leaps[]>>;

/** Possible premoves, as wire moves, and the position that they start from. */
export interface PremoveOptions {
  moves: string[];
  position: string;
}

/** The person's settings for the board. */
export interface BoardOptions {
  input: 'both' | 'drag' | 'click';
  /** Duration of a move's animation; 0 for none. */
  animation_ms: number;
}

/** Called when a piece was dropped, with all moves that it can mean. `ahead`: it was a premove on the opponent's turn. */
export type OnMove = (moves: string[], ahead: boolean) => void;

export interface PlayBoard {
  /** The current premove, as start and end square. */
  readonly premove: string | null;
  show(view: BoardView): void;
  setOptions(hands: BoardOptions): void;
  /** Put the pieces back to the last shown position: the dropped move does not stand. */
  restore(): void;
  /** Cancel the premove. */
  cancelPremove(): void;
  /** Possible premoves; null when none are allowed. */
  premoveOptions(): PremoveOptions | null;
  /** Set `move` as the premove; false if it is not possible. */
  setPremove(move: string): boolean;
  close(): void;
}

/** Creates a board in `element`. */
export type BoardFactory = (element: HTMLElement, onmove: OnMove) => PlayBoard;
