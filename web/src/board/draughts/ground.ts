/** Draughts boards: squares with numbers or coordinates, men and kings. */

import type { Color } from '../../net/protocol';
import type { Piece, Square } from '../../notation/pieces';
import type { Ground, Place } from '../ground/ground';
import { readFen, writeFen } from './fen';
import { variantOf, type Variant } from './variants';

const made = new Map<string, Ground>();

export function groundOf(variant: string): Ground {
  const known = made.get(variant);
  if (known) return known;
  const ground = make(variantOf(variant));
  made.set(variant, ground);
  return ground;
}

function make(variant: Variant): Ground {
  const { size, naming, orthogonal = false, first } = variant;
  const places = placesOf(variant);
  const squares = [...places.keys()];
  const numbered = naming === 'numbers';
  const row = (square: Square) => places.get(square)!.row;
  const goal = (color: Color) => (color === 'w' ? 0 : size - 1);
  return {
    className: orthogonal ? 'plain' : `squares-${size}${variant.mirrored ? ' mirrored' : ''}`,
    unit: 1 / size,
    columns: size,
    rows: size,
    places,
    holes: false,
    first,
    start: writeFen(startOf(variant, places), first, squares, numbered),
    removesLeapByLeap: orthogonal,
    mandatoryCapture: true,
    placement: (fen) => readFen(fen, squares, numbered),
    write: (board, turn) => writeFen(board, turn, squares, numbered),
    afterMove: (piece, path) => {
      const there = variant.crownsOnTheWay ? path : path.slice(-1);
      return there.some((square) => row(square) === goal(piece.color)) ? { ...piece, role: 'd' } : piece;
    },
    reaches: (piece, from, to) => reaches(variant, piece, places.get(from)!, places.get(to)!),
  };
}

/** Row by row from Black's side, in the order of their numbers. */
function placesOf({ size, naming, mirrored, orthogonal }: Variant): Map<Square, Place> {
  const places = new Map<Square, Place>();
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const played = orthogonal || (row + column) % 2 === (mirrored ? 0 : 1);
      if (!played) continue;
      const name = naming === 'numbers' ? String(places.size + 1) : 'abcdefghij'.charAt(column) + String(size - row);
      places.set(name, { column, row, x: (column + 0.5) / size, y: (row + 0.5) / size });
    }
  }
  return places;
}

function startOf({ size, men, behind }: Variant, places: ReadonlyMap<Square, Place>): Map<Square, Piece> {
  const board = new Map<Square, Piece>();
  for (const [square, { row }] of places) {
    const [above, below] = [row - behind, size - 1 - behind - row];
    if (above >= 0 && above < men) board.set(square, { role: 'm', color: 'b' });
    else if (below >= 0 && below < men) board.set(square, { role: 'm', color: 'w' });
  }
  return board;
}

function reaches({ orthogonal, flying }: Variant, { role, color }: Piece, from: Place, to: Place): boolean {
  const [across, down] = [Math.abs(to.column - from.column), (to.row - from.row) * (color === 'w' ? -1 : 1)];
  if (across === 0 && down === 0) return false;
  if (role === 'd' && flying) return true;
  if (across % 2 === 0 && down % 2 === 0 && (orthogonal || (across + Math.abs(down)) % 4 === 0)) return true;
  if (orthogonal) return across + Math.abs(down) === 1 && (role === 'd' || down >= 0);
  return across === 1 && (down === 1 || (role === 'd' && down === -1));
}
