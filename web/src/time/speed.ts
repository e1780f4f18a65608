/** Speed of a time control. */

import type { Period, Speed, TimeControl } from '../net/protocol';

export const SPEEDS = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence', 'unlimited'] as const satisfies readonly Speed[];

/** The estimate, in seconds, below which a control has the speed; above the last it is classical. */
export const LIMITS_S = { bullet: 180, blitz: 600, rapid: 1_500 } as const;

/** Length of a game that the estimate assumes. */
const MOVES = 40;

/** Estimated duration of a game of `moves`, in seconds; null for no clock, or days. */
export function pace_s(tc: TimeControl, moves = MOVES): number | null {
  if (tc === null || 'days' in tc) return null;
  return 'periods' in tc ? periods_s(tc.periods, moves) : tc.base_s + moves * (tc.inc_s ?? tc.delay_s ?? tc.bronstein_s ?? 0);
}

/** The speed of a control: base + 40 × (increment or delay), all periods up to move 40. */
export function speedOf(tc: TimeControl): Speed {
  const s = pace_s(tc);
  if (s === null) return tc === null ? 'unlimited' : 'correspondence';
  return s < LIMITS_S.bullet ? 'bullet' : s < LIMITS_S.blitz ? 'blitz' : s < LIMITS_S.rapid ? 'rapid' : 'classical';
}

/** The control with the longer estimate, which decides the speed of a game with a handicap. */
export function slower(one: TimeControl, other: TimeControl): TimeControl {
  return (pace_s(one) ?? Infinity) >= (pace_s(other) ?? Infinity) ? one : other;
}

function periods_s(periods: readonly Period[], moves: number): number {
  let left = moves;
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
