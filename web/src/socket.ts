/**
 * The one socket of a page: requests with their replies, subscriptions that survive a lost line.
 *
 * When the line is back every topic is subscribed again `from` the last event seen, and every request that
 * changes something and was not answered is sent again under its `key`, so it counts once however often it arrives.
 */

import { ServerTime } from './clock';
import { Refused, topicOf, type Incoming, type Outgoing, type User, type Welcome } from './protocol';
import type { Taken } from './store';

export type Line = 'connecting' | 'open' | 'lost';

/** What a subscription does with its messages. */
export interface Topic {
  /** Last numbered event seen; undefined asks for the snapshot. */
  seq(): number | undefined;
  take(message: Incoming): Taken;
}

/** The part of a browser's WebSocket that is used; tests put their own in its place. */
export interface Wire {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}

export interface Codec {
  encode(message: Outgoing): Uint8Array<ArrayBuffer>;
  decode(data: unknown): Incoming;
}

interface Waiting {
  message: Outgoing;
  /** Sent again when the line comes back or the server cannot store just now. */
  durable: boolean;
  tries: number;
  resolve(reply: Incoming): void;
  reject(error: Refused): void;
}

export interface Subscription {
  /** Ask for the snapshot again. */
  refresh(): void;
  close(): void;
}

const PING_EVERY_MS = 5_000;
/** A line that answers nothing for this long is dead, whatever the browser thinks. */
const SILENCE_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;

export class Socket {
  readonly time = new ServerTime();
  line: Line = 'connecting';
  user: User | null = null;
  /** The user's live games as the last welcome told them. */
  games: string[] = [];
  /** Called when the line, the user or a push outside all topics changes something to be seen. */
  onchange: () => void = () => undefined;
  /** Called for pushes to the person: `paired`, `challenge`, `notice`. */
  onpush: (message: Incoming) => void = () => undefined;
  /** Called before the challenges that wait for the person are told again; others that were known are gone. */
  onchallenges: () => void = () => undefined;
  /** Called when the server closed the door before a welcome; the session may be one it does not know. */
  onrefused: () => void = () => undefined;

  private wire: Wire | null = null;
  private waiting = new Map<number, Waiting>();
  private topics = new Map<string, { topic: Topic; options: Record<string, unknown> }>();
  private nextId = 1;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private greeted: (() => void)[] = [];

  constructor(
    private readonly open: () => Wire,
    private readonly codec: Codec,
    private readonly random: () => number = Math.random,
  ) {}

  /** Open the line now, whatever the retry timer says. */
  connect(): void {
    clearTimeout(this.retry);
    if (this.wire !== null) return;
    const wire = this.open();
    this.wire = wire;
    wire.onmessage = (event) => this.receive(wire, event.data);
    wire.onclose = () => this.dropped(wire);
    // The first ping is the test of a line that opens but never answers.
    this.expectAnswer();
  }

  /** Close and open again, so that the server sees the session of now. Resolves after its welcome. */
  reopen(): Promise<void> {
    return new Promise((resolve) => {
      this.greeted.push(resolve);
      this.failures = 0;
      const old = this.wire;
      this.abandon();
      old?.close(1000);
      this.connect();
    });
  }

  /** Ask, and get the `ok` or a `Refused`. */
  ask(message: Outgoing): Promise<Incoming> {
    return this.request(message, { durable: false });
  }

  /** Ask for a change: carries a key, is sent again until it is answered, and counts once. */
  change(message: Outgoing): Promise<Incoming> {
    return this.request({ ...message, key: freshKey() }, { durable: true });
  }

  subscribe(name: string, topic: Topic, options: Record<string, unknown> = {}): Subscription {
    const entry = { topic, options };
    this.topics.set(name, entry);
    if (this.line === 'open') this.sub(name);
    return {
      refresh: () => this.line === 'open' && this.sub(name, { afresh: true }),
      close: () => {
        if (this.topics.get(name) !== entry) return;
        this.topics.delete(name);
        if (this.line === 'open') this.send({ t: 'unsub', topic: name });
      },
    };
  }

  /** Have the open invitations by and for the person told again; `afresh` after those that were known are forgotten. */
  askInvitations({ afresh = false } = {}): void {
    if (this.user) this.ask({ t: 'sub', topic: 'user' }).then(() => afresh && this.onchallenges(), () => undefined);
  }

  private request(message: Outgoing, { durable }: { durable: boolean }): Promise<Incoming> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      const waiting = { message: { ...message, id }, durable, tries: 0, resolve, reject };
      this.waiting.set(id, waiting);
      if (this.line === 'open') this.send(waiting.message);
      else if (!durable) this.settle(id, (lost) => lost.reject(new Refused('offline', 'there is no connection')));
    });
  }

  private send(message: Outgoing): void {
    this.wire?.send(this.codec.encode(message));
  }

  private sub(name: string, { afresh = false } = {}): void {
    const entry = this.topics.get(name);
    if (!entry) return;
    const from = afresh ? undefined : entry.topic.seq();
    this.ask({ t: 'sub', topic: name, ...entry.options, ...(from === undefined ? {} : { from }) }).catch(
      (error: unknown) => {
        // The line is gone (it will be subscribed again), or there is no such topic: then the owner is told.
        if (error instanceof Refused && error.code !== 'offline') {
          entry.topic.take({ t: 'error', topic: name, code: error.code, message: error.message });
          this.onchange();
        }
      },
    );
  }

  private receive(wire: Wire, data: unknown): void {
    if (wire !== this.wire) return;
    const message = this.codec.decode(data);
    if (message.t === 'welcome') return this.welcome(message as unknown as Welcome);
    if (message.t === 'ok' || message.t === 'error') return this.answered(message);
    const name = topicOf(message);
    const entry = this.topics.get(name);
    if (entry) {
      if (entry.topic.take(message) === 'gap') this.sub(name, { afresh: true });
    } else if (name === 'user') {
      this.onpush(message);
    }
    this.onchange();
  }

  private welcome(welcome: Welcome): void {
    this.time.forget();
    this.time.hear(welcome.now);
    this.line = 'open';
    this.failures = 0;
    // Pairings of a person who was here before, and missed the push while the line was lost.
    const missed = this.user && this.user.id === welcome.user?.id ? welcome.games.filter((g) => !this.games.includes(g)) : [];
    this.user = welcome.user;
    this.games = welcome.games;
    this.ping();
    this.pinger = setInterval(() => this.ping(), PING_EVERY_MS);
    this.askInvitations({ afresh: true });
    for (const name of this.topics.keys()) this.sub(name);
    for (const { message, durable } of [...this.waiting.values()]) {
      if (durable) this.send(message);
    }
    for (const resolve of this.greeted.splice(0)) resolve();
    for (const g of missed) this.onpush({ t: 'paired', g });
    this.onchange();
  }

  private answered(message: Incoming): void {
    const { id } = message;
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    if (message.t === 'ok') {
      this.settle(id, ({ resolve }) => resolve(message));
    } else if (waiting.durable && (message.code === 'unavailable' || message.code === 'rate_limited')) {
      // Not now, says the server: the same request again in a while.
      const wire = this.wire;
      waiting.tries += 1;
      setTimeout(() => {
        if (this.wire === wire && this.line === 'open' && this.waiting.has(id)) this.send(waiting.message);
      }, this.backoff_ms(waiting.tries));
    } else {
      this.settle(id, ({ reject }) => reject(new Refused(String(message.code), String(message.message))));
    }
  }

  private settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) how(waiting);
  }

  private ping(): void {
    const begun = this.time.begin();
    this.ask({ t: 'ping' })
      .then((reply) => {
        clearTimeout(this.silence);
        this.silence = undefined;
        this.time.measure(Number(reply.now), begun);
      })
      .catch(() => undefined); // the line is lost, which others are told
    this.expectAnswer();
  }

  /** Give the line up unless something is answered in time. A running deadline is not put off. */
  private expectAnswer(): void {
    this.silence ??= setTimeout(() => {
      const wire = this.wire;
      if (wire === null) return;
      this.dropped(wire);
      wire.close();
    }, SILENCE_MS);
  }

  private abandon(): void {
    this.wire = null;
    clearInterval(this.pinger);
    clearTimeout(this.silence);
    this.silence = undefined;
    for (const [id, { durable }] of [...this.waiting]) {
      if (!durable) this.settle(id, ({ reject }) => reject(new Refused('offline', 'the connection was lost')));
    }
  }

  private dropped(wire: Wire): void {
    if (wire !== this.wire) return;
    const greeted = this.line === 'open';
    this.abandon();
    this.line = 'lost';
    this.failures += 1;
    if (!greeted) this.onrefused();
    this.retry = setTimeout(() => this.connect(), this.backoff_ms(this.failures));
    this.onchange();
  }

  /** Doubling waits, each anywhere in its upper half, so that a crowd does not come back as one. */
  private backoff_ms(tries: number): number {
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
    return longest * (0.5 + this.random() / 2);
  }
}

function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
