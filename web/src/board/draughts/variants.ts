/** What a board must know of each draughts variant. The server knows the rules. */

import type { Color } from '../../net/protocol';
import { BOARDS } from './variants.gen';

export interface Variant {
  size: number;
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
  /** Moves that one king may make in a row while its side has men. */
  kingMoves?: number;
}

const KNOWN: Readonly<Record<string, Variant>> = BOARDS;

/** A losing variant uses the board of its counterpart. */
export function variantOf(name: string): Variant {
  const found = KNOWN[name.replace(/^losing-/, '')];
  if (found === undefined) throw new Error(`a game of draughts that this page does not know: ${name}`);
  return found;
}
