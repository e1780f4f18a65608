/** A kind of game, as the pages need it: its board, moves, notation and choices. */

import type { TemplateResult, nothing } from 'lit-html';
import type { Color, GameSnapshot, Leaps } from '../../net/protocol';
import type { Letters } from '../../notation/notation.gen';
import type { Piece, Placement, Role, Square } from '../../notation/pieces';
import type { Reading } from '../../notation/read-move';
import type { Destinations } from '../../notation/uci';
import type { MovePath } from './move-path';
import type { BoardFactory, LegalLeaps } from './play-board';

/** One of several moves that a drop can mean. */
export interface Choosable {
  /** The argument of `choose`. */
  value: string;
  label: string;
}

/** The squares as a lattice, for keyboard navigation. */
export interface Lattice {
  columns: number;
  rows: number;
  /** Null where the lattice has no square; counted from the upper left as White sees it. */
  squareAt(column: number, row: number): Square | null;
  placeOf(square: Square): { column: number; row: number } | null;
  /** Centre and size as fractions of the board; null if the squares fill the lattice. */
  box(square: Square): { x: number; y: number; unit: number } | null;
  /** All squares, row by row from the top as White sees them. Reversed, they are the flipped board. */
  readonly squares: readonly Square[];
}

type Known = Pick<GameSnapshot, 'variant' | 'position'>;

export interface GameKind {
  readonly createBoard: BoardFactory;
  readonly lattice: Lattice;
  /** Roles of the pieces, most valuable first. */
  readonly roles: readonly Role[];
  /** Keys and letters of the roles. */
  readonly keys: Readonly<Record<string, Role>>;
  /** Squares have colours, lines and attackers can be told. */
  readonly hasLines: boolean;
  /** An example of a typed move. */
  readonly example: string;
  /** The pieces at the start, from `fen` or the usual position. */
  start(fen: string | null): Placement;
  /** The pieces of a position. */
  placement(fen: string): Placement;
  /** The pieces as a position; for chess only the first field of the FEN. */
  write(board: Placement, turn: Color): string;
  /** The pieces after the legal `move`. */
  played(before: Placement, move: string, leaps: Leaps | null): Placement;
  /** Start and end square of `move`. */
  endpoints(move: string): [Square, Square];
  /** The path of `move`; null if the board works it out. */
  pathOf(move: string, leaps: Leaps | null): MovePath | null;
  /** The pieces that `move` captures. */
  captures(board: Placement, move: string, leaps: Leaps | null): Piece[];
  destinations(legal: readonly string[], game: Known): Destinations;
  read(text: string, legal: readonly string[], game: Known, letters: Letters): Reading;
  /** Whether no longer move starts with `text`: then it can be played without Enter. */
  isComplete(text: string, legal: readonly string[], game: Known, letters: Letters): boolean;
  /** The premove for `move`; a promotion is chosen later. */
  premoveOf(move: string): string;
  /** The choices among `moves`. */
  choices(moves: readonly string[]): Choosable[];
  /** The dialog to choose, over the board; null puts the piece back. */
  chooser(moves: readonly string[], leaps: LegalLeaps | null, bottom: Color, choose: (value: string | null) => void): TemplateResult | typeof nothing;
}
