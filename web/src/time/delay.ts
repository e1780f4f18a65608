/** The delay with which the public sees a game. */

import { say } from '../words/words';

export interface Delay {
  delay_s?: number;
  /** Moves of both sides. */
  delay_moves?: number;
}

/** Why the clocks of a game with delayed moves are held: they are shown as they were. */
export const HELD_BY_DELAY = 'late';

const MINUTE_S = 60;

/** In words; empty for no delay. `who`: the reader. */
export function delayText({ delay_s = 0, delay_moves = 0 }: Delay, who: 'player' | 'public' = 'player'): string {
  const by = (unit: 'moves' | 'minutes' | 'seconds', n: number) =>
    who === 'player' ? say(`later.${unit}`, { n }) : say(`shown.${unit}`, { n });
  if (delay_moves > 0) return by('moves', delay_moves);
  if (delay_s === 0) return '';
  return delay_s % MINUTE_S === 0 ? by('minutes', delay_s / MINUTE_S) : by('seconds', delay_s);
}

export const isSameDelay = (one: Delay, other: Delay): boolean =>
  (one.delay_s ?? 0) === (other.delay_s ?? 0) && (one.delay_moves ?? 0) === (other.delay_moves ?? 0);
