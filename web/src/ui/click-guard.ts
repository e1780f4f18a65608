/** Ignores clicks on buttons that have just appeared or changed: the click was meant for what was there before. */

const SETTLES_MS = 400;

export class ClickGuard {
  private readonly known = new Map<string, { settled: boolean }>();
  private readonly drawn = new Set<string>();

  constructor(private readonly changed: () => void) {}

  /** Whether `name` has been shown long enough. Call on each draw while it is shown. */
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

  /** The draw is over: names that were not asked for start again. */
  sweep(): void {
    for (const name of this.known.keys()) if (!this.drawn.has(name)) this.known.delete(name);
    this.drawn.clear();
  }
}
