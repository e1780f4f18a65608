/** What a page must be able to do with a game of one kind: its board, its moves, how they are read and chosen from. */

import type { TemplateResult, nothing } from 'lit-html';
import type { Color, GameSnapshot, Leaps } from '../../net/protocol';
import type { Letters } from '../../notation/notation.gen';
import type { Piece, Placement, Role, Square } from '../../notation/pieces';
import type { Reading } from '../../notation/read-move';
import type { Destinations } from '../../notation/uci';
import type { MovePath } from './move-path';
import type { LegalLeaps, BoardFactory } from './play-board';

/** One of several moves that a piece put down can mean. */
export interface Choosable {
  /** What `choose` is told. */
  value: string;
  label: string;
}

/** The squares as who goes by keyboard walks on them. */
export interface Lattice {
  columns: number;
  rows: number;
  /** Null where the lattice has none; counted from the upper left as White sees it. */
  squareAt(column: number, row: number): Square | null;
  placeOf(square: Square): { column: number; row: number } | null;
  /** The middle of its place and its side, as parts of the board's; null where the squares fill the lattice. */
  box(square: Square): { x: number; y: number; unit: number } | null;
  /** All of them, row by row from above as White sees them; turned by half the board has them the other way round. */
  readonly squares: readonly Square[];
}

type Known = Pick<GameSnapshot, 'variant' | 'position'>;

export interface GameKind {
  readonly createBoard: BoardFactory;
  readonly lattice: Lattice;
  /** The pieces there are, the dearest first. */
  readonly roles: readonly Role[];
  /** The keys and letters that stand for them. */
  readonly keys: Readonly<Record<string, Role>>;
  /** Squares are dark and light to the ear, lines are looked along, pieces attack. */
  readonly hasLines: boolean;
  /** A move as it may be typed. */
  readonly example: string;
  /** The pieces with which a game begins, at `fen` or as usual. */
  start(fen: string | null): Placement;
  /** The pieces of a position. */
  placement(fen: string): Placement;
  /** The pieces as a position; of chess only the first part of its text. */
  write(board: Placement, turn: Color): string;
  /** The pieces after `move`, which is legal: the server has taken it, or is asked to. */
  played(before: Placement, move: string, leaps: Leaps | null): Placement;
  /** The squares that `move` goes from and to. */
  endpoints(move: string): [Square, Square];
  /** How it goes; null where the board sees to it. */
  pathOf(move: string, leaps: Leaps | null): MovePath | null;
  /** What `move` takes. */
  captures(board: Placement, move: string, leaps: Leaps | null): Piece[];
  destinations(legal: readonly string[], game: Known): Destinations;
  read(text: string, legal: readonly string[], game: Known, letters: Letters): Reading;
  /** Whether no legal move goes on from what is typed: then it may be played without Enter. */
  isComplete(text: string, legal: readonly string[], game: Known, letters: Letters): boolean;
  /** What is made ahead of one's turn when `move` is meant; what is still to be chosen is asked in time. */
  premoveOf(move: string): string;
  /** What can be chosen among `moves`. */
  choices(moves: readonly string[]): Choosable[];
  /** The choice among them, over the board; null puts the piece back. */
  chooser(moves: readonly string[], leaps: LegalLeaps | null, bottom: Color, choose: (value: string | null) => void): TemplateResult | typeof nothing;
}
