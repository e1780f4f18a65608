/** The message with the legal moves has no number and may be lost. After this time it is asked for again. */

const WITHIN_MS = 2_000;

export class LegalMovesTimeout {
  private since: number | null = null;

  /** Whether to ask again. Call it often; `waiting`: the moves are due. */
  isExpired(waiting: boolean, now: number): boolean {
    if (!waiting) {
      this.since = null;
      return false;
    }
    this.since ??= now;
    if (now - this.since <= WITHIN_MS) return false;
    this.since = null;
    return true;
  }
}
