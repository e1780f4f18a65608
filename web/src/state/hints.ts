/** Hints of the computer in a game against it. */

import type { Color, GameSnapshot } from '../net/protocol';
import { say, SIDES } from '../words/words';

export interface Hint {
  /** Half-moves on the board. */
  ply: number;
  /** In wire notation. */
  move: string;
  better: Color | 'equal';
  /** That side should win. */
  winning: boolean;
}

/** Whether the player has hints in this game; `own`: the sides that they play. */
export const hasHints = ({ hints, status }: GameSnapshot, own: readonly Color[]): boolean =>
  hints === true && own.length === 1 && status !== 'over';

/** `White is better. Try Nf3.` */
export function hintText({ better, winning }: Hint, move: string): string {
  if (better === 'equal') return say('hint.equal', { move });
  return say(winning ? 'hint.winning' : 'hint.better', { side: SIDES[better], move });
}
