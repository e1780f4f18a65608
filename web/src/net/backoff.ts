/** Exponential back-off with jitter. */

import { CLOSE_CODES } from './protocol';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A connection that held this long ends a run of failures. */
const GOOD_MS = 10_000;
/** A restart closes all connections at once; clients return over this time. */
const CROWD_MS = 3_000;
/** First failure count after the server closed a connection for flooding: 4 to 8 s, while its rate limit recovers. */
const FLOODED = 5;

/** Wait before the next attempt, in the upper half of its maximum. */
export function backoff_ms(tries: number, random: () => number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + random() / 2);
}

/** When to reconnect. */
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number) {}

  /** Milliseconds to wait after a close with `code`; the connection was open for `open_ms` (0: never). */
  after(code: number, open_ms: number): number {
    if (open_ms >= GOOD_MS) this.failures = 0;
    this.failures += 1;
    if (code === CLOSE_CODES.flood || code === CLOSE_CODES.tooSlow) this.failures = Math.max(FLOODED, this.failures);
    const wait_ms = backoff_ms(this.failures, this.random);
    return code === CLOSE_CODES.restart ? Math.max(wait_ms, this.random() * CROWD_MS) : wait_ms;
  }

  /** Forget earlier failures: the person asks for a connection. */
  reset(): void {
    this.failures = 0;
  }
}
