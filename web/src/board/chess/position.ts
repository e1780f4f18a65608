/** Chess positions: the effect of a legal move, and the piece placement of a FEN. */

import type { Piece, Placement, Role, Square } from '../../notation/pieces';
import { squares } from '../../notation/uci';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const CASTLED = { short: ['g', 'f'], long: ['c', 'd'] } as const;

/** The pieces after the legal `move`. */
export function played(before: Placement, move: string): Placement {
  const [from, to] = squares(move);
  const piece = before.get(from);
  const after = new Map(before);
  if (piece === undefined) return after;
  after.delete(from);
  const rook = piece.role === 'k' ? castledRook(before, piece, from, to) : null;
  if (rook !== null) {
    const [king, beside] = rook < from ? CASTLED.long : CASTLED.short;
    const rank = from.slice(1);
    after.delete(rook);
    after.set(king + rank, piece);
    after.set(beside + rank, { role: 'r', color: piece.color });
    return after;
  }
  // A pawn that moves diagonally to an empty square captures en passant.
  if (piece.role === 'p' && from[0] !== to[0] && !before.has(to)) after.delete(to.charAt(0) + from.slice(1));
  after.set(to, move.length === 5 ? { role: move.charAt(4) as Role, color: piece.color } : piece);
  return after;
}

/**
 * The rook of a castling move: the one the king "captures", or the one its two steps go towards. Null for other moves.
 */
function castledRook(board: Placement, king: Piece, from: Square, to: Square): Square | null {
  const at = board.get(to);
  if (at?.role === 'r' && at.color === king.color) return to;
  const way = to.charCodeAt(0) - from.charCodeAt(0);
  return Math.abs(way) === 2 && from[1] === to[1] ? (way > 0 ? 'h' : 'a') + from.slice(1) : null;
}

/** Piece placement, the first field of a FEN. */
export function fenOf(board: Placement): string {
  const rows = [...'87654321'].map((rank) => {
    const signs = [...'abcdefgh'].map((file) => {
      const piece = board.get(file + rank);
      return piece === undefined ? '1' : piece.color === 'w' ? piece.role.toUpperCase() : piece.role;
    });
    return signs.join('').replace(/1+/g, (empty) => String(empty.length));
  });
  return rows.join('/');
}
