/** How much later than its players the public sees a game. */

import { say } from '../words/words';

export interface Delay {
  delay_s?: number;
  /** Of both sides. */
  delay_moves?: number;
}

/** Why the clocks of a game stand that is shown some moves later: they are told as they stood. */
export const HELD_BY_DELAY = 'late';

const MINUTE_S = 60;

/** In words, as part of a line of terms; nothing where all see everything at once. `who` reads it: a player, or one of the public. */
export function delayText({ delay_s = 0, delay_moves = 0 }: Delay, who: 'player' | 'public' = 'player'): string {
  const by = (unit: 'moves' | 'minutes' | 'seconds', n: number) =>
    who === 'player' ? say(`later.${unit}`, { n }) : say(`shown.${unit}`, { n });
  if (delay_moves > 0) return by('moves', delay_moves);
  if (delay_s === 0) return '';
  return delay_s % MINUTE_S === 0 ? by('minutes', delay_s / MINUTE_S) : by('seconds', delay_s);
}

export const isSameDelay = (one: Delay, other: Delay): boolean =>
  (one.delay_s ?? 0) === (other.delay_s ?? 0) && (one.delay_moves ?? 0) === (other.delay_moves ?? 0);
