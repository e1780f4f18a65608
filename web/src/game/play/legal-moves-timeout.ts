/** Legal moves are told unnumbered and may be lost; on one's own turn they are missed after a while. */

const WITHIN_MS = 2_000;

export class LegalMovesTimeout {
  private since: number | null = null;

  /** Whether it is time to ask again; called often, `waiting` while the moves are due. */
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
