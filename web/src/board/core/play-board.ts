/** What a board must be able to do for the pages, whatever game is played on it. */

import type { Color, Leaps } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { Destinations } from '../../notation/uci';
import type { MovePath } from './move-path';

export interface BoardView {
  fen: string;
  bottom: Color;
  turn: Color;
  /** Squares of the last move. */
  last: readonly Square[];
  check: boolean;
  /** Where the person may move; null when he may not. */
  destinations: Destinations | null;
  /** The ways of those moves that have any: captures. */
  leaps?: LegalLeaps | null;
  /** How the last move went; null where that is not known, or plain. */
  movePath?: MovePath | null;
  /** The side that may move ahead of its turn. */
  premoveColor?: Color | null;
  /** As in Chess960, kings castle from wherever they stand on their first rank. */
  castlesAnywhere?: boolean;
}

/** By move, each way in which it can be made. */
export type LegalLeaps = Readonly<Record<string, readonly Leaps[]>>;

/** What may be moved ahead of one's turn: wire moves that the rules do not forbid yet, and the pieces they start from. */
export interface PremoveOptions {
  moves: string[];
  position: string;
}

/** How the person likes his board. */
export interface BoardOptions {
  input: 'both' | 'drag' | 'click';
  /** How long a piece is on its way; 0 for none. */
  animation_ms: number;
}

/** Is told of a piece put down by hand, with all wire moves that can mean; `ahead` was it before its turn. */
export type OnMove = (moves: string[], ahead: boolean) => void;

export interface PlayBoard {
  /** The move that waits for its turn: the squares it goes from and to. */
  readonly premove: string | null;
  show(view: BoardView): void;
  setOptions(hands: BoardOptions): void;
  /** Put the pieces back to what was last shown: a move made by hand does not stand. */
  restore(): void;
  /** Drop the move that was made ahead of its turn, if there is one. */
  cancelPremove(): void;
  /** What may be moved ahead on the board as it is shown; null when nothing may. */
  premoveOptions(): PremoveOptions | null;
  /** Make `move` ahead of its turn, as a hand would; false when the board does not take it. */
  setPremove(move: string): boolean;
  close(): void;
}

/** What makes a board in `element`. */
export type BoardFactory = (element: HTMLElement, onmove: OnMove) => PlayBoard;
