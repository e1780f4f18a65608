/** What a board must know of each draughts variant. The server knows the rules. */

import type { Color } from '../../net/protocol';

export interface Variant {
  size: 8 | 10;
  /** Rows of men, and empty rows behind them. */
  men: number;
  behind: number;
  first: Color;
  naming: 'numbers' | 'letters';
  /** The corner at each player's left is light. */
  mirrored?: true;
  /** Moves along ranks and files, on all squares; captured pieces leave after each jump. */
  orthogonal?: true;
  /** Flying kings: any distance. */
  flying: boolean;
  /** A man that reaches the last row during a capture goes on as a king. */
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

/** A losing variant uses the board of its counterpart. */
export function variantOf(name: string): Variant {
  const found = VARIANTS[name.replace(/^losing-/, '')];
  if (found === undefined) throw new Error(`a game of draughts that this page does not know: ${name}`);
  return found;
}
