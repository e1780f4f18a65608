/** Wire moves (UCI) as squares: destinations of pieces, and the moves that a drop can mean. */

import type { GameSnapshot } from '../net/protocol';
import { placement, type Placement, type Square } from './pieces';

/** For each square, the targets of its piece, and the wire moves that they can mean. */
export type Destinations = Map<Square, Map<Square, string[]>>;

/**
 * Destinations from the server's list. Castling may be written as king takes rook or as two king steps, and the king
 * may be dropped on either square: both mean the listed move. In Chess960 the king may also reach that square by a
 * plain step, which then has precedence.
 */
export function destinations(legal: readonly string[], game: Pick<GameSnapshot, 'variant' | 'position'>): Destinations {
  const all: Destinations = new Map();
  const put = (from: Square, to: Square, move: string) => {
    const targets = all.get(from) ?? new Map<Square, string[]>();
    all.set(from, targets.set(to, [...(targets.get(to) ?? []), move]));
  };
  for (const move of legal) put(...squares(move), move);
  const board = placement(game.position);
  for (const move of legal) {
    const other = otherCastlingSquare(move, board);
    const [from] = squares(move);
    if (other !== null && other !== from && !all.get(from)?.has(other)) put(from, other, move);
  }
  return all;
}

/** The other square on which the king may be dropped for the castling `move`; null for other moves. */
function otherCastlingSquare(move: string, board: Placement): Square | null {
  const [from, to] = squares(move);
  const king = board.get(from);
  if (king?.role !== 'k') return null;
  const rank = from.slice(1);
  const short = from < to;
  const rook = board.get(to);
  if (rook?.role === 'r' && rook.color === king.color) return (short ? 'g' : 'c') + rank;
  const twoSteps = from[1] === to[1] && Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) === 2;
  return twoSteps ? (short ? 'h' : 'a') + rank : null;
}

export function squares(move: string): [Square, Square] {
  return [move.slice(0, 2), move.slice(2, 4)];
}

/** Promotion letters among these moves, in the order of the dialog. */
export function promotions(moves: readonly string[]): string[] {
  return [...'qrbnk'].filter((letter) => moves.some((move) => move.length === 5 && move.endsWith(letter)));
}
