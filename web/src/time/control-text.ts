/** Time controls in writing: `5+3`, or in words. */

import type { GameSnapshot, MoveAllowance, TimeControl } from '../net/protocol';
import { say } from '../words/words';

const quarters = (base_s: number): string | null => {
  const whole = Math.floor(base_s / 60);
  const rest = ['', '¼', '½', '¾'][(base_s % 60) / 15];
  if (rest === undefined) return null;
  return whole > 0 || rest === '' ? `${whole}${rest}` : rest;
};

/** As on a clock, if it is no multiple of a quarter minute. */
const minutes = (base_s: number): string =>
  quarters(base_s) ?? `${Math.floor(base_s / 60)}:${String(base_s % 60).padStart(2, '0')}`;

/** A control as players write it: `5+3`, `16:17+10`, `40/90+30, 30+30`, `3 days a move`. */
export function describe(tc: TimeControl | MoveAllowance): string {
  if (tc === null) return say('tempo.none');
  if ('move_s' in tc) return say('tempo.move', { n: tc.move_s });
  if ('days' in tc) return say('tempo.days', { n: tc.days });
  if ('periods' in tc) {
    return tc.periods.map((p) => `${p.moves ? `${p.moves}/` : ''}${minutes(p.base_s)}+${p.inc_s ?? 0}`).join(', ');
  }
  if (tc.delay_s) return say('tempo.delay', { base: minutes(tc.base_s), n: tc.delay_s });
  if (tc.bronstein_s) return say('tempo.bronstein', { base: minutes(tc.base_s), n: tc.bronstein_s });
  return `${minutes(tc.base_s)}+${tc.inc_s ?? 0}`;
}

/** The controls of a game, written by `write`: one for both, or a handicap. */
export function describeSides(
  { tc, tcs }: Pick<GameSnapshot, 'tc' | 'tcs'>,
  write: (tc: TimeControl | MoveAllowance) => string = describe,
): string {
  return tcs === undefined ? write(tc) : say('tempo.sides', { white: write(tcs.w), black: write(tcs.b) });
}

/** Like `describe`, but in words except for the common form `5+3`. */
export function spell(tc: TimeControl | MoveAllowance): string {
  return tc !== null && 'base_s' in tc && !tc.delay_s && !tc.bronstein_s ? describe(tc) : inWords(tc);
}

/** A control in words: `5 min + 3 s a move`. The server uses the same words. */
export function inWords(tc: TimeControl | MoveAllowance): string {
  if (tc === null || 'days' in tc || 'move_s' in tc) return describe(tc);
  if ('periods' in tc) {
    const spelled = tc.periods.map(({ moves, base_s, inc_s }) => spellPeriod(moves ?? null, base_s, inc_s ?? 0));
    return [...spelled, ...(tc.periods.at(-1)?.moves ? [say('tempo.spelled.repeats')] : [])].join(', ');
  }
  const time = spellMinutes(tc.base_s);
  if (tc.delay_s) return say('tempo.spelled.delay', { time, n: tc.delay_s });
  if (tc.bronstein_s) return say('tempo.spelled.bronstein', { time, n: tc.bronstein_s });
  return adding(time, tc.inc_s ?? 0);
}

function spellPeriod(moves: number | null, base_s: number, inc_s: number): string {
  const time = adding(spellMinutes(base_s), inc_s);
  return moves === null ? say('tempo.spelled.rest', { time }) : say('tempo.spelled.moves', { time, n: moves });
}

const adding = (time: string, n: number) => (n === 0 ? time : say('tempo.spelled.adding', { time, n }));

function spellMinutes(base_s: number): string {
  const n = quarters(base_s);
  if (n !== null) return say('tempo.minutes', { n });
  const seconds = say('tempo.seconds', { n: base_s % 60 });
  return base_s < 60 ? seconds : `${say('tempo.minutes', { n: Math.floor(base_s / 60) })} ${seconds}`;
}
