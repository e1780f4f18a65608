/** Drawing at most once a frame, however often it is asked for. */

/** A page out of sight has no frames: what it shows is brought up to date so often all the same. */
const OUT_OF_SIGHT_MS = 250;

export class FrameLimiter {
  private frame: number | null = null;
  private late: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;

  /** `again` is called in the next frame if it was refused in this one. */
  constructor(private readonly again: () => void) {}

  /** Whether to draw now; else it is asked for again. */
  take(): boolean {
    this.wanted = this.frame !== null;
    if (this.wanted) return false;
    this.frame = requestAnimationFrame(() => this.next());
    this.late = setTimeout(() => this.next(), OUT_OF_SIGHT_MS);
    return true;
  }

  close(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    clearTimeout(this.late);
  }

  private next(): void {
    this.close();
    this.frame = null;
    if (this.wanted) this.again();
  }
}
