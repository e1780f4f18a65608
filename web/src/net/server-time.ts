/** The server's clock, as round trips on the socket tell it. */

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
  adjust(now: number): void {
    if (this.trips.length === 0) this.offset_ms = now - this.monotonic();
  }

  /** A round trip begins; what it is measured from. */
  begin(): number {
    this.checkJump();
    return this.monotonic();
  }

  /** The reply of the round trip that began at `begun` is here, carrying the server's `now`. */
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

  private checkJump(): void {
    const apart_ms = this.wall() - this.monotonic();
    if (Math.abs(apart_ms - this.apart_ms) > JUMP_MS) this.forget();
    this.apart_ms = apart_ms;
  }
}
