/** The time until something starts, in words. */

import { moment } from '../../words/dates';
import { say } from '../../words/words';

const DAY_S = 86_400;

export function timeUntil(at: number, now: number): string {
  const s = Math.ceil((at - now) / 1000);
  if (s <= 0) return say('simul.when.now');
  if (s > DAY_S) return say('simul.when.at', { time: moment(at) });
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, s % 60];
  return say('simul.when.in', { time: `${hours}:${two(minutes)}:${two(seconds)}` });
}
