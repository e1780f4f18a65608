/**
 * Pending requests.
 *
 * A request that the server cannot serve now is retried. A change also survives the connection: it is sent again under
 * its idempotency `key` on the next one, so it counts once.
 */

import { say } from '../words/words';
import { backoff_ms } from './backoff';
import { Refused, type ErrorMessage, type Outgoing, type Reply } from './protocol';

interface PendingRequest {
  readonly message: Outgoing;
  /** Sent again on the next connection. */
  readonly outlives: boolean;
  /** Whether to retry when the server cannot serve it now. */
  readonly wanted: () => boolean;
  /** Size when last sent; 0 if never. */
  bytes: number;
  tries: number;
  /** The server's last refusal. */
  refusal: Refused | null;
  again?: ReturnType<typeof setTimeout>;
  lapse?: ReturnType<typeof setTimeout>;
  resolve(reply: Reply): void;
  reject(error: Refused): void;
}

/**
 * A request that waits longer is dropped: the person has clicked again or gone on. A move is not, as it stands on their
 * board.
 */
const LAPSE_MS = 15_000;
/** Over the rate limit, the server refuses a longer request without reading its `id`. */
const READ_BYTES = 256;
/** The person is told what a request waits for after this many refusals. */
const TELL_AT = 3;

export class Requests {
  private readonly waiting = new Map<number, PendingRequest>();
  private nextId = 1;

  /** `send` returns the bytes sent, or null without a connection. `tell` gets the reason of a delay. */
  constructor(
    private readonly send: (message: Outgoing) => number | null,
    private readonly tell: (why: string) => void,
    private readonly random: () => number,
  ) {}

  /** Send once. */
  ask(message: Outgoing): Promise<Reply> {
    return this.request(message, { outlives: false, wanted: () => false });
  }

  /** Send, and retry while it is `wanted` and the connection holds. */
  insist(message: Outgoing, wanted: () => boolean): Promise<Reply> {
    return this.request(message, { outlives: false, wanted });
  }

  /** Send a change until it is answered or lapses. */
  change(message: Outgoing): Promise<Reply> {
    return this.request({ ...message, key: freshKey() }, { outlives: true, wanted: () => true });
  }

  /** An `ok` or an `error` came. */
  answered(message: Reply | ErrorMessage): void {
    if (message.t === 'ok') {
      this.settle(message.id, ({ resolve }) => resolve(message));
      return;
    }
    const refusal = new Refused(message.code, message.message);
    if (message.id !== undefined) this.refuse(message.id, refusal);
    else if (refusal.code === 'rate_limited') {
      for (const [id, { bytes }] of [...this.waiting]) if (bytes > READ_BYTES) this.refuse(id, refusal);
    }
  }

  /** The connection is lost. */
  lost(): void {
    for (const [id, { outlives, again }] of [...this.waiting]) {
      clearTimeout(again);
      if (!outlives) this.drop(id, new Refused('offline', say('refused.lost')));
    }
  }

  /** A new connection is open. */
  resume(): void {
    for (const waiting of this.waiting.values()) if (waiting.outlives) this.put(waiting);
  }

  /** Reject all pending requests. */
  dropAll(why: Refused): void {
    for (const id of [...this.waiting.keys()]) this.drop(id, why);
  }

  private request(message: Outgoing, how: Pick<PendingRequest, 'outlives' | 'wanted'>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      const waiting: PendingRequest = { message: { ...message, id }, ...how, bytes: 0, tries: 0, refusal: null, resolve, reject };
      this.waiting.set(id, waiting);
      if (how.outlives && message.t !== 'move' && message.t !== 'press') {
        const late = () => this.drop(id, waiting.refusal ?? new Refused('offline', say('refused.lapsed')));
        waiting.lapse = setTimeout(late, LAPSE_MS);
      }
      if (!this.put(waiting) && !how.outlives) this.drop(id, new Refused('offline', say('refused.offline')));
    });
  }

  /** Send it if there is a connection. */
  private put(waiting: PendingRequest): boolean {
    clearTimeout(waiting.again);
    const bytes = this.send(waiting.message);
    waiting.bytes = bytes ?? waiting.bytes;
    return bytes !== null;
  }

  private refuse(id: number, refusal: Refused): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (!refusal.passes || !waiting.wanted()) {
      this.drop(id, refusal);
      return;
    }
    waiting.tries += 1;
    waiting.refusal = refusal;
    if (waiting.tries === TELL_AT && waiting.outlives) this.tell(refusal.message);
    clearTimeout(waiting.again);
    const again = () => (waiting.wanted() ? this.put(waiting) : this.drop(id, refusal));
    waiting.again = setTimeout(again, backoff_ms(waiting.tries, this.random));
  }

  private drop(id: number, why: Refused): void {
    this.settle(id, ({ reject }) => reject(why));
  }

  private settle(id: number | undefined, how: (waiting: PendingRequest) => void): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || !waiting) return;
    clearTimeout(waiting.again);
    clearTimeout(waiting.lapse);
    this.waiting.delete(id);
    how(waiting);
  }
}

function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
