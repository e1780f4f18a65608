/** Clocks as a player sees them: the server's readings, run on between two messages. */

import type { Clock, Color, GameSnapshot, MoveAllowance, TimeControl } from './net/protocol';
import { say } from './words/words';

/** So many pings have a say in where the server's clock stands: a minute of them. */
const PINGS_KEPT = 12;
/** The two clocks of a machine drift apart by less than this between two pings, unless it slept or one was set. */
const JUMP_MS = 1_000;

/**
 * Where the server's clock stands, from the quickest of the last round trips.
 *
 * Time is counted by the monotonic clock, which nobody sets. It may stand while the machine sleeps: when the clock
 * on the wall has gone another way since the last look, what was measured before is forgotten.
 */
export class ServerTime {
  private readonly trips: { trip_ms: number; offset_ms: number }[] = [];
  private average_ms: number | null = null;
  /** The server's Unix milliseconds when the monotonic clock was at 0; at first this machine's own. */
  private offset_ms: number;
  /** What the wall was ahead of the monotonic clock at the last look. */
  private apart_ms: number;
  /** Round trips that began before this are not measured by. */
  private since: number;

  constructor(
    private readonly monotonic = () => performance.now(),
    private readonly wall = () => Date.now(),
  ) {
    this.since = monotonic();
    this.apart_ms = this.offset_ms = wall() - this.since;
  }

  /** The server's Unix milliseconds, now. */
  now(): number {
    return this.monotonic() + this.offset_ms;
  }

  /** A message carrying the server's `now` came in, with no round trip to judge it by. */
  hear(now: number): void {
    if (this.trips.length === 0) this.offset_ms = now - this.monotonic();
  }

  /** A round trip begins; what it is measured from. */
  begin(): number {
    this.look();
    return this.monotonic();
  }

  /** The reply of the round trip that began at `begun` is here, carrying the server's `now`. */
  measure(now: number, begun: number): void {
    this.look();
    const here = this.monotonic();
    const trip_ms = here - begun;
    if (begun < this.since || trip_ms < 0) return;
    this.average_ms = this.average_ms === null ? trip_ms : 0.8 * this.average_ms + 0.2 * trip_ms;
    this.trips.push({ trip_ms, offset_ms: now - (begun + here) / 2 });
    if (this.trips.length > PINGS_KEPT) this.trips.shift();
    this.offset_ms = this.trips.reduce((best, trip) => (trip.trip_ms <= best.trip_ms ? trip : best)).offset_ms;
  }

  /** Another line: what was measured on the last one says nothing of it. */
  forget(): void {
    this.trips.length = 0;
    this.average_ms = null;
    this.since = this.monotonic();
  }

  /** The usual round trip, what a move claims as its lag; null before the first ping. */
  lag(): number | null {
    return this.average_ms === null ? null : Math.round(this.average_ms);
  }

  private look(): void {
    const apart_ms = this.wall() - this.monotonic();
    if (Math.abs(apart_ms - this.apart_ms) > JUMP_MS) this.forget();
    this.apart_ms = apart_ms;
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
  if (days > 0) return say('clock.days', { days, time: `${hours}:${two(minutes)}` });
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const quarters = (base_s: number): string | null => {
  const whole = Math.floor(base_s / 60);
  const rest = ['', '¼', '½', '¾'][(base_s % 60) / 15];
  if (rest === undefined) return null;
  return whole > 0 || rest === '' ? `${whole}${rest}` : rest;
};

/** As a clock shows it what is no quarter of a minute. */
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

/** What the sides of a game play by, as `write` has it: one control, or with a handicap that of each. */
export function describeSides(
  { tc, tcs }: Pick<GameSnapshot, 'tc' | 'tcs'>,
  write: (tc: TimeControl | MoveAllowance) => string = describe,
): string {
  return tcs === undefined ? write(tc) : say('tempo.sides', { white: write(tcs.w), black: write(tcs.b) });
}

/** The same as `describe` for somebody who is asked to play by it: in words, but for what everybody writes as `5+3`. */
export function spell(tc: TimeControl | MoveAllowance): string {
  return tc !== null && 'base_s' in tc && !tc.delay_s && !tc.bronstein_s ? describe(tc) : inWords(tc);
}

/** A control in words, whatever it is: `5 min + 3 s a move`. The server's words for programs are the same. */
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
