/**
 * What has just appeared under a hand, or come to mean something else, lets no click through for a moment: the hand
 * was on its way to what stood there before.
 */

const SETTLES_MS = 400;

export class ClickGuard {
  private readonly known = new Map<string, { settled: boolean }>();
  private readonly drawn = new Set<string>();

  constructor(private readonly changed: () => void) {}

  /** Whether `name` has been there long enough to be meant. Asked in each drawing, until it is gone. */
  isReady(name: string): boolean {
    this.drawn.add(name);
    const known = this.known.get(name);
    if (known !== undefined) return known.settled;
    const fresh = { settled: false };
    this.known.set(name, fresh);
    setTimeout(() => {
      fresh.settled = true;
      this.changed();
    }, SETTLES_MS);
    return false;
  }

  /** A drawing is done: what was not in it has to settle again. */
  sweep(): void {
    for (const name of this.known.keys()) if (!this.drawn.has(name)) this.known.delete(name);
    this.drawn.clear();
  }
}
