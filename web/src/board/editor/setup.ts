/** A position that is being set up, and its text. Pure. */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';
import type { GameKind } from '../core/game-kind';

export interface Setup {
  board: Placement;
  turn: Color;
  /** Letters of the castling rights in chess; empty for none. */
  castling: string;
  /** The en passant square in chess; empty for none. */
  passant: string;
  /** What follows in the text, such as move counters. A change of the pieces resets it. */
  rest: string;
}

/** A castling right: the king's side or the queen's side of a colour. */
export type Right = 'K' | 'Q' | 'k' | 'q';

/** The positions of one game as text. */
export interface PositionFormat {
  readonly kind: GameKind;
  readonly start: Setup;
  /** The pieces of `text`, even if no game can start from it; else why they cannot be read. */
  read(text: string): Setup | { fault: string };
  write(setup: Setup): string;
  /** Why no game can start from `text`; null if only the server can tell. */
  fault(text: string): string | null;
  /** `setup` without what its pieces do not allow. Called when they have changed. */
  settle(setup: Setup): Setup;
  /** The castling rights that are possible, and whether they are given. */
  rights(setup: Setup): readonly { right: Right; on: boolean }[];
  withRight(setup: Setup, right: Right, on: boolean): Setup;
  /** Squares of possible en passant captures. */
  passants(setup: Setup): readonly Square[];
}

/** Put `piece` on `square`, or clear it. */
export function put(format: PositionFormat, setup: Setup, square: Square, piece: Piece | null): Setup {
  const board = new Map(setup.board);
  if (piece === null) board.delete(square);
  else board.set(square, piece);
  return format.settle({ ...setup, board });
}

/** Move what stands on `from` to `to`; null removes it from the board. */
export function shift(format: PositionFormat, setup: Setup, from: Square, to: Square | null): Setup {
  const piece = setup.board.get(from);
  if (piece === undefined || from === to) return setup;
  const cleared = put(format, setup, from, null);
  return to === null ? cleared : put(format, cleared, to, piece);
}

export const cleared = (format: PositionFormat, setup: Setup): Setup => format.settle({ ...setup, board: new Map() });

export const withTurn = (format: PositionFormat, setup: Setup, turn: Color): Setup => format.settle({ ...setup, turn });

/** What a game without castling and en passant has of `PositionFormat`. */
export const NO_CASTLING: Pick<PositionFormat, 'rights' | 'withRight' | 'passants'> = {
  rights: () => [],
  withRight: (setup) => setup,
  passants: () => [],
};

export const isSame = (one: Piece | undefined, other: Piece | undefined): boolean =>
  one?.role === other?.role && one?.color === other?.color;
