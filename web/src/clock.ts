/** Clocks as a player sees them: the server's readings, run on between two messages. */

import type { Clock, Color, TimeControl } from './protocol';

/** Where the server's clock stands against this machine's, from the quickest round trips. */
export class ServerTime {
  private offset_ms = 0;
  private best_ms = Infinity;
  private average_ms: number | null = null;

  /** A message carrying the server's `now` came in, with no round trip to judge it by. */
  hear(now: number, received: number): void {
    if (this.best_ms === Infinity) this.offset_ms = now - received;
  }

  /** A ping left at `sent` and its reply, carrying the server's `now`, came at `received`. */
  measure(now: number, sent: number, received: number): void {
    const trip_ms = Math.max(0, received - sent);
    this.average_ms = this.average_ms === null ? trip_ms : 0.8 * this.average_ms + 0.2 * trip_ms;
    // Old samples lose their authority slowly, so that a clock that was set is believed in the end.
    this.best_ms += 1;
    if (trip_ms > this.best_ms) return;
    this.best_ms = trip_ms;
    this.offset_ms = now - (sent + received) / 2;
  }

  /** The server's Unix milliseconds at this machine's `local`. */
  at(local: number): number {
    return local + this.offset_ms;
  }

  /** The usual round trip, what a move claims as its lag; null before the first ping. */
  lag(): number | null {
    return this.average_ms === null ? null : Math.round(this.average_ms);
  }
}

/** Milliseconds `color` has left at the server's instant `now`; never below zero. */
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
  if (days > 0) return `${days} d ${hours}:${two(minutes)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const minutes = (base_s: number) => {
  const whole = Math.floor(base_s / 60);
  const quarters = ['', '¼', '½', '¾'];
  const rest = quarters[(base_s % 60) / 15];
  if (rest === undefined) return `${base_s} s`;
  return whole > 0 || rest === '' ? `${whole}${rest}` : rest;
};

/** A control as players write it: `5+3`, `40/90+30, 30+30`, `3 days a move`. */
export function describe(tc: TimeControl): string {
  if (tc === null) return 'no clock';
  if ('days' in tc) return tc.days === 1 ? '1 day a move' : `${tc.days} days a move`;
  if ('periods' in tc) {
    return tc.periods.map((p) => `${p.moves ? `${p.moves}/` : ''}${minutes(p.base_s)}+${p.inc_s ?? 0}`).join(', ');
  }
  if (tc.delay_s) return `${minutes(tc.base_s)} d${tc.delay_s}`;
  if (tc.bronstein_s) return `${minutes(tc.base_s)} b${tc.bronstein_s}`;
  return `${minutes(tc.base_s)}+${tc.inc_s ?? 0}`;
}
