/**
 * What a game of ours is played on: its places, what stands there at the start, how a position is written. The boards
 * that we draw ourselves know no more of a game than this.
 */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';

export interface Place {
  /** In the lattice of the board, from its upper left as White sees it. */
  column: number;
  row: number;
  /** Its middle, as parts of the board's side, from the upper left as White sees it. */
  x: number;
  y: number;
}

export interface Ground {
  /** How it is drawn: a name of the style sheet's. */
  readonly className: string;
  /** The side of a piece's place, as a part of the board's. */
  readonly unit: number;
  /** The lattice for who goes by keyboard; places need not fill it. */
  readonly columns: number;
  readonly rows: number;
  /** All places by their names, row by row from above as White sees them. */
  readonly places: ReadonlyMap<Square, Place>;
  /** Each place is a hole of its own, which the picture of the board has not. */
  readonly holes: boolean;
  /** Who begins, and from which position. */
  readonly first: Color;
  readonly start: string;
  /** Captures leave the board leap by leap, not all after the move. */
  readonly removesLeapByLeap: boolean;
  /** Captures must be made: who may has no other move. */
  readonly mandatoryCapture: boolean;
  /** What stands where. Of what is no position of this game nothing does. */
  placement(fen: string): Placement;
  write(board: Placement, turn: Color): string;
  /** What `piece` is when it has gone along `path`. */
  afterMove(piece: Piece, path: readonly Square[]): Piece;
  /** Whether `piece` could ever get from one place to the other in one move, whatever stands between. */
  reaches(piece: Piece, from: Square, to: Square): boolean;
}

/** From both ends of the board a place lies on opposite sides of the middle. */
export const seenFrom = ({ x, y }: Place, bottom: Color): { x: number; y: number } =>
  bottom === 'w' ? { x, y } : { x: 1 - x, y: 1 - y };

/** The piece whose class the style sheet knows. */
export const pieceClass = ({ role, color }: Piece): string => `${role === 'd' ? 'crowned' : 'man'} ${color === 'w' ? 'light' : 'dark'}`;

/** From a wire move its squares: `32-28`, `28x19`, `47x33x24`. */
export const pathSquares = (move: string): Square[] => move.split(/[-x]/);

/** The place nearest to parts of the board's sides from the upper left, if it is on one. */
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
