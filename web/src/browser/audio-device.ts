/**
 * The audio device: opened at the first gesture, suspended when idle, resumed for the next sound.
 *
 * Browsers require a gesture, which also comes before the first move. Opening takes time and is done after the
 * gesture's changes are painted. A device that was lost (to another program, a call or sleep) costs one sound: nothing
 * here throws.
 */

/** Safari counts only the end of a touch; a touch that becomes a drag has no click. */
const GESTURES = ['pointerdown', 'pointerup', 'keydown'] as const;

/** A later sound would match nothing on the page. */
const LATE_MS = 400;

/** After this long without a sound the device is suspended, to save battery. */
const REST_MS = 60_000;

/** A running device whose time stands still for this long is dead, as happens after sleep. */
const STUCK_MS = 1_000;

/** If no output device is found by then, the audio context is opened anyway. */
const FOUND_MS = 1_000;

export class AudioDevice {
  private context: AudioContext | null = null;
  private opening = false;
  /** Suspended by this class: gestures do not resume it. */
  private resting = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** The last use, by the page's clock and the device's. */
  private used: { at_ms: number; time_s: number } | null = null;

  /** `wanted`: whether the person wants sounds. */
  constructor(private readonly wanted: () => boolean) {
    for (const gesture of GESTURES) addEventListener(gesture, this.touched, { capture: true, passive: true });
  }

  /** Let `strike` schedule a sound. The sound is dropped if the device is not ready in time. */
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
    // Within the gesture, as Safari requires.
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

  /** Null if there is no device, or not yet; the next gesture tries again. */
  private async make(): Promise<AudioContext | null> {
    await painted();
    // Browsers mute a page before the first gesture, and warn of devices that were opened earlier.
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
      // Interrupted or closed: this sound is lost.
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

/** A hidden page paints no frames, but may play a sound. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/**
 * Chromium starts an audio process, and opening a device before it runs blocks the main thread: for 30 ms, and ten
 * times as long under load. Asking for the default output starts the process in the background.
 */
async function loudspeakers(): Promise<void> {
  const element: Partial<HTMLAudioElement> = new Audio();
  const found = element.setSinkId?.call(element, '').catch(() => undefined);
  await Promise.race([found, new Promise((resolve) => setTimeout(resolve, FOUND_MS))]);
}
