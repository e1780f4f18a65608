/** Clocks: the server's readings, run on until the next message. */

import type { Clock, Color } from '../net/protocol';
import { say } from '../words/words';

/** Milliseconds left to `color` at server time `now`; never negative. */
export function left_ms(clock: Clock, color: Color, now: number): number {
  if (clock.run !== color || clock.held) return clock[color];
  const elapsed = Math.max(0, now - clock.at);
  return Math.max(0, clock[color] - Math.max(0, elapsed - (clock.delay_left ?? 0)));
}

const HOUR_MS = 3_600_000;
const TENTHS_BELOW_MS = 10_000;

/** `1:05:00`, `4:59`, `0:09.7`; days in words. */
export function format_ms(ms: number): string {
  if (ms < TENTHS_BELOW_MS) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const days = Math.floor(ms / (24 * HOUR_MS));
  const hours = Math.floor(ms / HOUR_MS) - 24 * days;
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = Math.floor(ms / 1000) % 60;
  const two = (n: number) => String(n).padStart(2, '0');
  if (days > 0) return say('clock.days', { days, time: `${hours}:${two(minutes)}` });
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
