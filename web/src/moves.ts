/** Wire moves (UCI) as squares: where a piece may go, and which move a drop there means. */

import type { GameSnapshot } from './protocol';

export type Square = string;

/** From each square, where its piece may be put down, and the wire moves that can mean. */
export type Destinations = Map<Square, Map<Square, string[]>>;

const CASTLING_FILE = { h: 'g', a: 'c' } as const;

/**
 * Destinations from the server's list. Castling may arrive as king takes rook or as the king's two steps, and a
 * player may drop the king on either square: both mean the move as the server wrote it.
 */
export function destinations(legal: readonly string[], game: Pick<GameSnapshot, 'variant' | 'position'>): Destinations {
  const all: Destinations = new Map();
  const kings = new Set(game.variant === 'standard' ? kingSquares(game.position) : []);
  const put = (from: Square, to: Square, move: string) => {
    const targets = all.get(from) ?? new Map<Square, string[]>();
    all.set(from, targets.set(to, [...(targets.get(to) ?? []), move]));
  };
  for (const move of legal) {
    const [from, to] = squares(move);
    put(from, to, move);
    if (!kings.has(from) || from[0] !== 'e') continue;
    const rank = from.slice(1);
    for (const [rook, king] of Object.entries(CASTLING_FILE)) {
      if (to === rook + rank) put(from, king + rank, move);
      if (to === king + rank) put(from, rook + rank, move);
    }
  }
  return all;
}

export function squares(move: string): [Square, Square] {
  return [move.slice(0, 2), move.slice(2, 4)];
}

/** The piece letters among which these moves promote, in the order a chooser shows them. */
export function promotions(moves: readonly string[]): string[] {
  return [...'qrbn'].filter((letter) => moves.some((move) => move.length === 5 && move.endsWith(letter)));
}

function kingSquares(fen: string): Square[] {
  const found: Square[] = [];
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else {
        if (sign.toLowerCase() === 'k') found.push('abcdefgh'.charAt(file) + String(8 - index));
        file += 1;
      }
    }
  });
  return found;
}
