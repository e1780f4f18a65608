/** Speed of a time control. */

import type { Period, Speed, TimeControl } from '../net/protocol';

export const SPEEDS = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence', 'unlimited'] as const satisfies readonly Speed[];

/** Estimated duration in seconds; null for no clock, or days. */
export function pace_s(tc: TimeControl): number | null {
  if (tc === null || 'days' in tc) return null;
  return 'periods' in tc ? periods_s(tc.periods) : tc.base_s + 60 * (tc.inc_s ?? tc.delay_s ?? tc.bronstein_s ?? 0);
}

/** The speed of a control: base + 60 × (increment or delay), all periods up to move 60. */
export function speedOf(tc: TimeControl): Speed {
  const s = pace_s(tc);
  if (s === null) return tc === null ? 'unlimited' : 'correspondence';
  return s < 180 ? 'bullet' : s < 900 ? 'blitz' : s < 3600 ? 'rapid' : 'classical';
}

/** The control with the longer estimate, which decides the speed of a game with a handicap. */
export function slower(one: TimeControl, other: TimeControl): TimeControl {
  return (pace_s(one) ?? Infinity) >= (pace_s(other) ?? Infinity) ? one : other;
}

function periods_s(periods: readonly Period[]): number {
  let left = 60;
  let sum = 0;
  for (const { moves, base_s, inc_s } of periods) {
    if (left <= 0) break;
    const played = Math.min(left, moves ?? left);
    sum += base_s + played * (inc_s ?? 0);
    left -= played;
  }
  // A last period with a number of moves repeats until the game ends.
  const last = periods.at(-1);
  if (left > 0 && last?.moves) sum += Math.ceil(left / last.moves) * last.base_s + left * (last.inc_s ?? 0);
  return sum;
}
