import { vi } from 'vitest';
import type { Incoming, Outgoing, TopicMessage } from '../../src/net/protocol';
import { Socket, type Codec, type Transport } from '../../src/net/socket';
import type { TakeResult, Topic } from '../../src/net/subscriptions';

/** A connection whose other end is the test. Like a browser's, it cannot be written to before it is open. */
export class FakeWire implements Transport {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readyState = 1;
  sent: Outgoing[] = [];
  connecting = true;
  closed = false;

  send(data: Uint8Array<ArrayBuffer>): void {
    if (this.connecting) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
    this.sent.push(data as unknown as Outgoing);
  }

  close(): void {
    this.closed = true;
  }

  say(message: object): void {
    this.connecting = false;
    this.onmessage?.({ data: message });
  }

  drop(code = 1006): void {
    this.onclose?.({ code });
  }

  welcome(user: object | null = null, games: string[] = []): void {
    this.say({ t: 'welcome', v: 1, user, now: 1_000, games, limits: {} });
  }

  /** Messages sent, without pings. */
  asked(): Outgoing[] {
    return this.sent.filter((message) => message.t !== 'ping');
  }

  /** The last request of this type. */
  last(t: string): Outgoing | undefined {
    return this.sent.findLast((message) => message.t === t);
  }

  answer(t: string, fields: object = {}): void {
    this.say({ t: 'ok', id: this.last(t)?.id, ...fields });
  }

  refuse(t: string, code: string, message = `it is ${code}`): void {
    this.say({ t: 'error', id: this.last(t)?.id, code, message });
  }
}

/** Messages pass unencoded, with the length of their JSON. */
const plain: Codec = {
  encode: (message) => {
    const byteLength = new TextEncoder().encode(JSON.stringify(message)).length;
    return Object.defineProperty({ ...message }, 'byteLength', { value: byteLength }) as unknown as Uint8Array<ArrayBuffer>;
  },
  decode: (data) => data as Incoming,
};

export class FakeTopic implements Topic {
  got: TopicMessage[] = [];
  last: number | undefined;
  verdict: TakeResult = 'done';

  seq(): number | undefined {
    return this.last;
  }

  take(message: TopicMessage): TakeResult {
    this.got.push(message);
    if ('seq' in message) this.last = message.seq;
    return this.verdict;
  }
}

/** A socket on connections of the test, with the longest back-off. */
export class Lines {
  readonly wires: FakeWire[] = [];
  readonly socket = new Socket(
    () => {
      this.wires.push(new FakeWire());
      return this.wire;
    },
    plain,
    () => 1,
  );

  constructor() {
    this.socket.connect();
  }

  /** The last one opened. */
  get wire(): FakeWire {
    return this.wires.at(-1)!;
  }

  /** Let time pass while pings are answered. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      await vi.advanceTimersByTimeAsync(Math.min(left, 1_000));
      if (this.socket.state === 'open') this.wire.answer('ping', { now: 1_000 });
    }
  }
}
