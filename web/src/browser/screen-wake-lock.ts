/** Keeps the screen on while the person plays. */

export class ScreenWakeLock {
  private wanted = false;
  private lock: WakeLockSentinel | null = null;
  private asking = false;

  constructor() {
    document.addEventListener('visibilitychange', this.again);
  }

  hold(wanted: boolean): void {
    this.wanted = wanted;
    if (!wanted) void this.release();
    else void this.take();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.again);
    this.hold(false);
  }

  /** A hidden page loses its lock. */
  private readonly again = (): void => {
    if (this.wanted) void this.take();
  };

  private async take(): Promise<void> {
    if (this.asking || document.hidden || !('wakeLock' in navigator) || (this.lock && !this.lock.released)) return;
    this.asking = true;
    try {
      this.lock = await navigator.wakeLock.request('screen');
    } catch {
      this.lock = null; // low battery, or not allowed
    }
    this.asking = false;
    if (!this.wanted) await this.release();
  }

  private async release(): Promise<void> {
    const { lock } = this;
    this.lock = null;
    await lock?.release().catch(() => undefined);
  }
}
