/** How the games of draughts differ, as far as a board must know: the rules are the server's. */

import type { Color } from '../../net/protocol';

export interface Variant {
  size: 8 | 10;
  /** Rows of men, and empty rows behind them. */
  men: number;
  behind: number;
  first: Color;
  naming: 'numbers' | 'letters';
  /** A light square at each player's left. */
  mirrored?: true;
  /** Along ranks and files, on all squares; captures leave the board at each leap. */
  orthogonal?: true;
  /** A king goes any distance. */
  flying: boolean;
  /** A man becomes a king in the middle of a capture and goes on as one. */
  crownsOnTheWay?: true;
}

const EIGHT = { size: 8, men: 3, behind: 0, first: 'w', flying: true } as const;

const VARIANTS: Record<string, Variant> = {
  international: { ...EIGHT, size: 10, men: 4, naming: 'numbers' },
  classic: { ...EIGHT, first: 'b', naming: 'numbers' },
  english: { ...EIGHT, first: 'b', naming: 'numbers', flying: false },
  italian: { ...EIGHT, naming: 'numbers', mirrored: true, flying: false },
  russian: { ...EIGHT, naming: 'letters', crownsOnTheWay: true },
  brazilian: { ...EIGHT, naming: 'letters' },
  turkish: { ...EIGHT, men: 2, behind: 1, naming: 'letters', orthogonal: true },
};

/** In a losing game the same board is played on. */
export function variantOf(name: string): Variant {
  const found = VARIANTS[name.replace(/^losing-/, '')];
  if (found === undefined) throw new Error(`a game of draughts that this page does not know: ${name}`);
  return found;
}
