/** How long to wait before something is tried again: doubling, and never the same for everybody. */

import { CLOSE_CODES } from './protocol';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A line that held for this long is no part of a run of failures. */
const GOOD_MS = 10_000;
/** A restart closes everybody's line at once: they come back over this time. */
const CROWD_MS = 3_000;
/** Where a line that the server had enough of begins: 4 to 8 s, in which the server's count of it runs down. */
const FLOODED = 5;

/** Before the next of so many tries, anywhere in the upper half of its wait. */
export function backoff_ms(tries: number, random: () => number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + random() / 2);
}

/** When a line that was lost is opened again. */
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number) {}

  /** Milliseconds to wait, after it was closed with `code` and had been open for `open_ms` (0: it never was). */
  after(code: number, open_ms: number): number {
    if (open_ms >= GOOD_MS) this.failures = 0;
    this.failures += 1;
    if (code === CLOSE_CODES.flood || code === CLOSE_CODES.tooSlow) this.failures = Math.max(FLOODED, this.failures);
    const wait_ms = backoff_ms(this.failures, this.random);
    return code === CLOSE_CODES.restart ? Math.max(wait_ms, this.random() * CROWD_MS) : wait_ms;
  }

  /** What failed before does not count: somebody asks. */
  reset(): void {
    this.failures = 0;
  }
}
