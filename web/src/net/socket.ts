/** The page's socket: requests, subscriptions that survive reconnects, and reconnecting. */

import { say } from '../words/words';
import { Backoff } from './backoff';
import { Heartbeat } from './heartbeat';
import {
  Refused,
  topicOf,
  type Incoming,
  type Outgoing,
  type PersonalMessage,
  type Reply,
  type TopicMessage,
  type User,
  type Welcome,
} from './protocol';
import { Requests } from './requests';
import { ServerTime } from './server-time';
import { Subscriptions, type Subscription, type Topic } from './subscriptions';

export type ConnectionState = 'connecting' | 'open' | 'lost';

/** The part of WebSocket that is used; tests replace it. */
export interface Transport {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  /** As of a WebSocket; absent: not known. */
  readonly readyState?: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}

export interface Codec {
  encode(message: Outgoing): Uint8Array<ArrayBuffer>;
  decode(data: unknown): Incoming;
}

interface Reopening {
  resolve(): void;
  reject(error: Refused): void;
  late: ReturnType<typeof setTimeout>;
}

/** Timeout of `reopen`. */
const REOPENED_MS = 15_000;
/** Close code for a connection that never answered. */
const ABNORMAL = 1006;
/** `WebSocket.OPEN`. */
const OPEN = 1;

export class Socket {
  readonly time = new ServerTime();
  state: ConnectionState = 'connecting';
  /** Number of welcomes so far. */
  connectionNumber = 0;
  user: User | null = null;
  /** The user's running games, from the last welcome. */
  games: string[] = [];
  /** The running simuls in which the user plays for the host or may take over. */
  simuls: string[] = [];
  /** Called when the connection, the user or a push changes what is shown. */
  onchange: () => void = () => undefined;
  /** Called for pushes to the person. A pairing made while offline has `missed`. */
  onpush: (message: PersonalMessage) => void = () => undefined;
  /** Called before the open challenges are told again; all known ones are obsolete. */
  onchallenges: () => void = () => undefined;
  /** Called when a new connection has told everything about the person. */
  onresumed: () => void = () => undefined;
  /** Called when the user changes without a request from this tab. */
  onuserchange: () => void = () => undefined;
  /** Called with the reason why a request is delayed. */
  ondelay: (why: string) => void = () => undefined;

  private transport: Transport | null = null;
  /** When the connection opened, by the monotonic clock; null if it is not open. */
  private opened: number | null = null;
  private welcomed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly reopenings = new Set<Reopening>();
  private readonly backoff: Backoff;
  private readonly heartbeat = new Heartbeat(
    () => this.ping(),
    () => this.hangUp(),
  );
  private readonly requests: Requests;
  private readonly topics: Subscriptions;

  constructor(
    private readonly open: () => Transport,
    private readonly codec: Codec,
    random: () => number = Math.random,
  ) {
    this.backoff = new Backoff(random);
    this.requests = new Requests(
      (message) => this.send(message),
      (why) => this.ondelay(why),
      random,
    );
    this.topics = new Subscriptions(
      this.requests,
      () => this.state === 'open',
      () => this.onchange(),
    );
  }

  /** Connect now, without waiting for the retry timer. */
  connect(): void {
    clearTimeout(this.retry);
    if (this.transport !== null) return;
    const transport = this.open();
    this.transport = transport;
    transport.onmessage = (event) => this.receive(transport, event.data);
    transport.onclose = ({ code }) => this.dropped(transport, code);
    this.heartbeat.open();
  }

  /** Make sure that the connection is alive, after sleep or a change of network. */
  check(): void {
    if (this.transport === null) this.connect();
    else this.heartbeat.doubt();
  }

  /** Close because the page is left, so that the server does not take it for a lost connection. `check` reconnects. */
  leave(): void {
    const { transport } = this;
    clearTimeout(this.retry);
    if (transport === null) return;
    this.abandon('lost');
    transport.close(1000);
  }

  /**
   * Reconnect with the current session. Resolves after the welcome.
   *
   * @throws Refused `offline` after a timeout
   */
  reopen(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.reopenings.delete(waiting);
        reject(new Refused('offline', say('refused.offline')));
      }, REOPENED_MS);
      const waiting = { resolve, reject, late };
      this.reopenings.add(waiting);
      this.backoff.reset();
      const old = this.transport;
      this.abandon('connecting');
      old?.close(1000);
      this.connect();
      this.onchange();
    });
  }

  /** Send a request; resolves to the `ok`, or rejects with `Refused`. */
  ask(message: Outgoing): Promise<Reply> {
    return this.requests.ask(message);
  }

  /** Send a change: with an idempotency key, again until it is answered or lapses, counted once. */
  change(message: Outgoing): Promise<Reply> {
    return this.requests.change(message);
  }

  /** Subscribe to a topic, with these fields of its `sub`; `last`: after the topics of the page. */
  subscribe(name: string, topic: Topic, options: Record<string, unknown> = {}, order: { last?: boolean } = {}): Subscription {
    return this.topics.add(name, topic, options, order);
  }

  /** Whether something follows this topic. */
  isSubscribed(name: string): boolean {
    return this.topics.has(name);
  }

  /** Have the open invitations told again; `afresh`: forget the known ones first. */
  askInvitations({ afresh = false } = {}): void {
    if (!this.user) return;
    const asked = this.requests.insist({ t: 'sub', topic: 'user' }, () => true);
    const told = () => {
      this.onchallenges();
      this.onresumed();
    };
    asked.then(() => afresh && told(), () => undefined);
  }

  private send(message: Outgoing): number | null {
    const { transport } = this;
    // Until its end is told, a closing WebSocket takes messages and drops them.
    if (this.state !== 'open' || transport === null || (transport.readyState ?? OPEN) !== OPEN) return null;
    const data = this.codec.encode(message);
    transport.send(data);
    return data.byteLength;
  }

  private receive(transport: Transport, data: unknown): void {
    if (transport !== this.transport) return;
    const message = this.codec.decode(data);
    this.heartbeat.received();
    if (message.t === 'welcome') return this.welcome(message);
    if (message.t === 'ok' || message.t === 'error') return this.requests.answered(message);
    const name = topicOf(message);
    const topic = this.topics.take(name, message as TopicMessage);
    if (message.t === 'simul.hosting') this.simuls = message.simuls;
    else if (!topic && name === 'user') this.onpush(message as PersonalMessage);
    if (!topic?.quiet) this.onchange();
  }

  private welcome({ now, user, games, simuls }: Welcome): void {
    this.time.forget();
    this.time.adjust(now);
    this.state = 'open';
    this.connectionNumber += 1;
    this.opened = performance.now();
    const was = this.user;
    const other = this.welcomed && was?.id !== user?.id;
    // A guest who becomes a member keeps the id, but topics have the old name.
    const changed = other || (this.welcomed && was?.name !== user?.name);
    this.welcomed = true;
    // Pairings that this user missed while offline.
    const missed = was && !other ? games.filter((g) => !this.games.includes(g)) : [];
    this.user = user;
    this.games = games;
    this.simuls = simuls ?? [];
    // A new session of a stranger keeps its requests.
    if (other && was) this.requests.dropAll(new Refused('unauthenticated', say('refused.other')));
    if (other) this.onchallenges();
    this.heartbeat.start();
    this.askInvitations({ afresh: true });
    this.topics.resume({ afresh: changed });
    this.requests.resume();
    if (changed && this.reopenings.size === 0) this.onuserchange();
    for (const { resolve, late } of this.reopenings) {
      clearTimeout(late);
      resolve();
    }
    this.reopenings.clear();
    for (const g of missed) this.onpush({ t: 'paired', g, missed: true });
    this.onchange();
  }

  private ping(): void {
    const begun = this.time.begin();
    this.ask({ t: 'ping' }).then(
      (reply) => this.time.measure(Number(reply.now), begun),
      () => undefined, // the connection is lost, or busy
    );
  }

  /** Nothing arrived in time. */
  private hangUp(): void {
    const { transport } = this;
    if (transport === null) return;
    this.dropped(transport, ABNORMAL);
    transport.close();
  }

  private abandon(line: ConnectionState): void {
    this.transport = null;
    this.opened = null;
    this.state = line;
    this.heartbeat.stop();
    this.requests.lost();
  }

  private dropped(transport: Transport, code: number): void {
    if (transport !== this.transport) return;
    const open_ms = this.opened === null ? 0 : performance.now() - this.opened;
    this.abandon('lost');
    this.retry = setTimeout(() => this.connect(), this.backoff.after(code, open_ms));
    this.onchange();
  }
}
