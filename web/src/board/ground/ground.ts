/**
 * Geometry and notation of a game with a board of our own: its squares, start position and FEN. These boards know
 * nothing else of a game.
 */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';

export interface Place {
  /** In the board's lattice, from the upper left as White sees it. */
  column: number;
  row: number;
  /** The centre, as fractions of the board's size from the upper left as White sees it. */
  x: number;
  y: number;
}

export interface Ground {
  /** Class name in the style sheet. */
  readonly className: string;
  /** Size of a square as a fraction of the board's. */
  readonly unit: number;
  /** The lattice for keyboard navigation; squares need not fill it. */
  readonly columns: number;
  readonly rows: number;
  /** All squares by name, row by row from the top as White sees them. */
  readonly places: ReadonlyMap<Square, Place>;
  /** Each square is drawn as a hole; the board's background has none. */
  readonly holes: boolean;
  /** The side to move first, and the start position. */
  readonly first: Color;
  readonly start: string;
  /** Captured pieces leave jump by jump, not after the move. */
  readonly removesLeapByLeap: boolean;
  /** Captures are mandatory. */
  readonly mandatoryCapture: boolean;
  /** The pieces of a position; none for an invalid one. */
  placement(fen: string): Placement;
  write(board: Placement, turn: Color): string;
  /** `piece` after it has gone along `path`. */
  afterMove(piece: Piece, path: readonly Square[]): Piece;
  /** Whether `piece` could ever go from one square to the other in one move, whatever is between. */
  reaches(piece: Piece, from: Square, to: Square): boolean;
}

/** A place as seen from `bottom`: from Black's side, both coordinates are mirrored. */
export const seenFrom = ({ x, y }: Place, bottom: Color): { x: number; y: number } =>
  bottom === 'w' ? { x, y } : { x: 1 - x, y: 1 - y };

/** The piece's class name. */
export const pieceClass = ({ role, color }: Piece): string => `${role === 'd' ? 'crowned' : 'man'} ${color === 'w' ? 'light' : 'dark'}`;

/** Squares of a wire move: `32-28`, `28x19`, `47x33x24`. */
export const pathSquares = (move: string): Square[] => move.split(/[-x]/);

/** The square at fractions of the board's size from the upper left, if any. */
export function nearest(ground: Ground, x: number, y: number, bottom: Color): Square | null {
  const half = ground.unit / 2;
  let found: Square | null = null;
  let least = Infinity;
  for (const [square, place] of ground.places) {
    const seen = seenFrom(place, bottom);
    const [across, down] = [Math.abs(seen.x - x), Math.abs(seen.y - y)];
    const away = Math.hypot(across, down);
    if (across > half || down > half || away >= least) continue;
    found = square;
    least = away;
  }
  return found;
}
