/** Whether the line lives: pings, and the time by which something must have been heard. */

const PING_EVERY_MS = 5_000;
/** A line that says nothing for this long is dead, whatever the browser thinks. */
const SILENCE_MS = 10_000;
/** The same where there is a reason to doubt it: the network has changed, or the machine was asleep. */
const DOUBT_MS = 2_500;

export class Heartbeat {
  private pinger: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private due = Infinity;

  /** `ping` asks for an answer; `dead` gives the line up. */
  constructor(
    private readonly ping: () => void,
    private readonly dead: () => void,
  ) {}

  /** The line is being opened. */
  open(): void {
    this.stop();
    this.expect(SILENCE_MS);
  }

  /** The line is open: ping now, and from now on. */
  start(): void {
    this.stop();
    this.pingAndExpect();
    this.pinger = setInterval(() => this.pingAndExpect(), PING_EVERY_MS);
  }

  /** Something came. */
  received(): void {
    clearTimeout(this.deadline);
    this.due = Infinity;
  }

  /** Find out soon. */
  doubt(): void {
    if (this.pinger !== undefined) this.ping();
    this.expect(DOUBT_MS);
  }

  stop(): void {
    clearInterval(this.pinger);
    this.pinger = undefined;
    this.received();
  }

  private pingAndExpect(): void {
    this.ping();
    this.expect(SILENCE_MS);
  }

  /** A deadline that runs is never put off. */
  private expect(ms: number): void {
    const due = performance.now() + ms;
    if (due >= this.due) return;
    clearTimeout(this.deadline);
    this.due = due;
    this.deadline = setTimeout(() => this.dead(), ms);
  }
}
