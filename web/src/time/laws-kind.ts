/** Kinds of play by the Laws (A1, B1). They differ from the server's speeds. */

import type { TimeControl } from '../net/protocol';
import { pace_s } from './speed';

export type LawsKind = 'blitz' | 'rapid' | 'standard';

/** Length of a game that the Laws assume. */
const MOVES = 60;
const BLITZ_BELOW_S = 15 * 60;
const RAPID_BELOW_S = 60 * 60;

/** Without a clock it is standard. */
export function kindOf(tc: TimeControl): LawsKind {
  const s = pace_s(tc, MOVES) ?? Infinity;
  return s < BLITZ_BELOW_S ? 'blitz' : s < RAPID_BELOW_S ? 'rapid' : 'standard';
}
