/** Heartbeat: pings, and a deadline for the next message. */

const PING_EVERY_MS = 5_000;
/** A connection that is silent for this long is dead. */
const SILENCE_MS = 10_000;
/** The same if there is reason for doubt: the network changed, or the machine slept. */
const DOUBT_MS = 2_500;

export class Heartbeat {
  private pinger: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private due = Infinity;

  /** `ping` sends a ping; `dead` closes the connection. */
  constructor(
    private readonly ping: () => void,
    private readonly dead: () => void,
  ) {}

  /** The connection is being opened. */
  open(): void {
    this.stop();
    this.expect(SILENCE_MS);
  }

  /** The connection is open: ping now and regularly. */
  start(): void {
    this.stop();
    this.pingAndExpect();
    this.pinger = setInterval(() => this.pingAndExpect(), PING_EVERY_MS);
  }

  /** A message arrived. */
  received(): void {
    clearTimeout(this.deadline);
    this.due = Infinity;
  }

  /** Check the connection soon. */
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

  /** A running deadline is never extended. */
  private expect(ms: number): void {
    const due = performance.now() + ms;
    if (due >= this.due) return;
    clearTimeout(this.deadline);
    this.due = due;
    this.deadline = setTimeout(() => this.dead(), ms);
  }
}
