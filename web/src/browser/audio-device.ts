/**
 * The audio device: opened at the first gesture, let go while nothing sounds, woken for the next sound.
 *
 * The first gesture is what browsers ask for, and it comes before the first move: opening takes time, and is done after
 * what the gesture changed is painted. A device that another program, a telephone call or the laptop's sleep has taken
 * costs a sound and nothing else: nothing here throws.
 */

/** Safari counts only the end of a touch; a touch that becomes a drag has no click. */
const GESTURES = ['pointerdown', 'pointerup', 'keydown'] as const;

/** A sound that would come later than this belongs to nothing on the page any more. */
const LATE_MS = 400;

/** After so long without a sound the device is let go: to hold it costs battery. */
const REST_MS = 60_000;

/** A device that says it runs and whose time stood still for so long is dead: some are, after a sleep. */
const STUCK_MS = 1_000;

/** A browser that has not found its loudspeakers by then opens the device as well as it can. */
const FOUND_MS = 1_000;

export class AudioDevice {
  private context: AudioContext | null = null;
  private opening = false;
  /** Let go by us, not taken from us: gestures leave it so. */
  private resting = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** When it was last used, by the page's clock and by its own. */
  private used: { at_ms: number; time_s: number } | null = null;

  /** `wanted`: whether the person wants to hear anything. */
  constructor(private readonly wanted: () => boolean) {
    for (const gesture of GESTURES) addEventListener(gesture, this.touched, { capture: true, passive: true });
  }

  /** Let `strike` schedule a sound; it is dropped when the device cannot be had in time. */
  use(strike: (context: AudioContext) => void): void {
    const due_ms = performance.now();
    if (this.context !== null && this.isDead(this.context)) this.discard();
    if (this.context === null) this.open((context) => void this.strike(context, strike, due_ms));
    else void this.strike(this.context, strike, due_ms);
  }

  private readonly touched = (): void => {
    if (!this.wanted()) return;
    const { context } = this;
    if (context === null) this.open();
    // Within the gesture, as Safari wants it.
    else if (!this.resting && context.state !== 'running') void context.resume().catch(() => undefined);
  };

  private open(then: (context: AudioContext) => void = () => undefined): void {
    if (this.opening) return;
    this.opening = true;
    void this.make().then((context) => {
      this.opening = false;
      if (context === null) return;
      this.context = context;
      this.resting = false;
      this.restLater();
      then(context);
    });
  }

  /** Null when there is no device, or not yet: the next gesture tries again. */
  private async make(): Promise<AudioContext | null> {
    await painted();
    // Browsers keep a page silent until it was touched, and warn of devices that were opened before.
    if (navigator.userActivation?.hasBeenActive === false) return null;
    try {
      await loudspeakers();
      return new AudioContext();
    } catch {
      return null;
    }
  }

  private async strike(context: AudioContext, strike: (context: AudioContext) => void, due_ms: number): Promise<void> {
    this.resting = false;
    this.restLater();
    try {
      if (context.state !== 'running') await context.resume();
      if (performance.now() - due_ms > LATE_MS) return;
      this.used = { at_ms: performance.now(), time_s: context.currentTime };
      strike(context);
    } catch {
      // Interrupted, or closed: this sound is lost.
    }
  }

  private isDead(context: AudioContext): boolean {
    if (context.state !== 'running' || this.used === null) return context.state === 'closed';
    return performance.now() - this.used.at_ms > STUCK_MS && context.currentTime === this.used.time_s;
  }

  private restLater(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.resting = true;
      this.used = null;
      void this.context?.suspend().catch(() => undefined);
    }, REST_MS);
  }

  private discard(): void {
    void this.context?.close().catch(() => undefined);
    this.context = null;
    this.used = null;
  }
}

/** A hidden page paints nothing, but may have something to say. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/**
 * Chromium starts a process for what is heard, and a device opened before that is there keeps the main thread waiting
 * for it: 30 ms, and ten times as long beside other work. Asked for the usual loudspeakers it starts the process aside.
 */
async function loudspeakers(): Promise<void> {
  const element: Partial<HTMLAudioElement> = new Audio();
  const found = element.setSinkId?.call(element, '').catch(() => undefined);
  await Promise.race([found, new Promise((resolve) => setTimeout(resolve, FOUND_MS))]);
}
