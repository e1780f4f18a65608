/** Limits drawing to once per frame. */

/** A hidden page has no frames; it is drawn at this interval. */
const OUT_OF_SIGHT_MS = 250;

export class FrameLimiter {
  private frame: number | null = null;
  private late: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;

  /** `again` is called in the next frame if a draw was refused. */
  constructor(private readonly again: () => void) {}

  /** Whether to draw now; otherwise `again` will be called. */
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
