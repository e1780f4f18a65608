/** The server's clock, estimated from round trips. */

/** Round trips that are kept: a minute of pings. */
const PINGS_KEPT = 12;
/** The two clocks of a machine drift by less than this between two pings, unless it slept or one was set. */
const JUMP_MS = 1_000;

/**
 * Estimates the server's clock from the fastest of the last round trips.
 *
 * Time is measured by the monotonic clock, which nobody sets but which may stop during sleep. When it and the system
 * clock disagree, earlier measurements are dropped.
 */
export class ServerTime {
  private readonly trips: { trip_ms: number; offset_ms: number }[] = [];
  private average_ms: number | null = null;
  /** Server time when the monotonic clock was 0, in Unix milliseconds; at first from the system clock. */
  private offset_ms: number;
  /** Difference of system clock and monotonic clock at the last check. */
  private apart_ms: number;
  /** Round trips that began earlier are ignored. */
  private since: number;

  constructor(
    private readonly monotonic = () => performance.now(),
    private readonly wall = () => Date.now(),
  ) {
    this.since = monotonic();
    this.apart_ms = this.offset_ms = wall() - this.since;
  }

  /** Server time now, in Unix milliseconds. */
  now(): number {
    return this.monotonic() + this.offset_ms;
  }

  /** A message has told the server's time `now`, without a round trip. */
  adjust(now: number): void {
    if (this.trips.length === 0) this.offset_ms = now - this.monotonic();
  }

  /** Start a round trip; returns its start. */
  begin(): number {
    this.checkJump();
    return this.monotonic();
  }

  /** The reply to the round trip from `begun` is here, with the server's time `now`. */
  measure(now: number, begun: number): void {
    this.checkJump();
    const here = this.monotonic();
    const trip_ms = here - begun;
    if (begun < this.since || trip_ms < 0) return;
    this.average_ms = this.average_ms === null ? trip_ms : 0.8 * this.average_ms + 0.2 * trip_ms;
    this.trips.push({ trip_ms, offset_ms: now - (begun + here) / 2 });
    if (this.trips.length > PINGS_KEPT) this.trips.shift();
    this.offset_ms = this.trips.reduce((best, trip) => (trip.trip_ms <= best.trip_ms ? trip : best)).offset_ms;
  }

  /** A new connection: drop the measurements of the last one. */
  forget(): void {
    this.trips.length = 0;
    this.average_ms = null;
    this.since = this.monotonic();
  }

  /** Average round trip, sent with moves as their lag; null before the first ping. */
  lag(): number | null {
    return this.average_ms === null ? null : Math.round(this.average_ms);
  }

  private checkJump(): void {
    const apart_ms = this.wall() - this.monotonic();
    if (Math.abs(apart_ms - this.apart_ms) > JUMP_MS) this.forget();
    this.apart_ms = apart_ms;
  }
}
