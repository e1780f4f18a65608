/** Wire moves (UCI) as squares: where a piece may go, and which move a drop there means. */

import type { GameSnapshot } from '../net/protocol';
import { placement, type Placement, type Square } from './pieces';

/** From each square, where its piece may be put down, and the wire moves that can mean. */
export type Destinations = Map<Square, Map<Square, string[]>>;

/**
 * Destinations from the server's list. Castling may arrive as king takes rook or as the king's two steps, and a
 * player may drop the king on either square: both mean the move as the server wrote it. In Chess960 the king's square
 * may be one it can simply step to, and then it means that.
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

/** Where else the king may be dropped to castle with `move`; null when it does not castle. */
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

/** The piece letters among which these moves promote, in the order a chooser shows them. */
export function promotions(moves: readonly string[]): string[] {
  return [...'qrbn'].filter((letter) => moves.some((move) => move.length === 5 && move.endsWith(letter)));
}
