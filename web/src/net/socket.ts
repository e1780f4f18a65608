/**
 * The one socket of a page: requests with their replies, subscriptions that survive a lost line, and when to open the
 * next one.
 */

import { say } from '../words/words';
import { Backoff } from './backoff';
import { Heartbeat } from './heartbeat';
import { Refused, topicOf, type Incoming, type Outgoing, type PersonalMessage, type Reply, type TopicMessage, type User, type Welcome } from './protocol';
import { Requests } from './requests';
import { ServerTime } from './server-time';
import { Subscriptions, type Subscription, type Topic } from './subscriptions';

export type ConnectionState = 'connecting' | 'open' | 'lost';

/** The part of a browser's WebSocket that is used; tests put their own in its place. */
export interface Transport {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
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

/** Who waits for the new line of a new session gives up after this: what he asked for is not wanted later. */
const REOPENED_MS = 15_000;
/** What a line that never said a word is closed with, to those who count. */
const ABNORMAL = 1006;

export class Socket {
  readonly time = new ServerTime();
  state: ConnectionState = 'connecting';
  /** How many lines have been greeted so far. */
  connectionNumber = 0;
  user: User | null = null;
  /** The user's live games as the last welcome told them. */
  games: string[] = [];
  /** Called when the line, the user or a push outside all topics changes something to be seen. */
  onchange: () => void = () => undefined;
  /** Called for pushes to the person. A `paired` that was made while the line was lost says `missed`. */
  onpush: (message: PersonalMessage) => void = () => undefined;
  /** Called before the challenges that wait for the person are told again; others that were known are gone. */
  onchallenges: () => void = () => undefined;
  /** Called when all that a new line tells of the person, unasked, has been told. */
  onresumed: () => void = () => undefined;
  /** Called when one is somebody else than before, and did not ask for it here. */
  onuserchange: () => void = () => undefined;
  /** Called with why something that was asked for is not done yet. */
  ondelay: (why: string) => void = () => undefined;

  private transport: Transport | null = null;
  /** When the line became open, by the monotonic clock; null where it is not. */
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

  /** Open the line now, whatever the retry timer says. */
  connect(): void {
    clearTimeout(this.retry);
    if (this.transport !== null) return;
    const transport = this.open();
    this.transport = transport;
    transport.onmessage = (event) => this.receive(transport, event.data);
    transport.onclose = ({ code }) => this.dropped(transport, code);
    this.heartbeat.open();
  }

  /** The machine woke up, or its network changed: see to it that there is a line, and one that lives. */
  check(): void {
    if (this.transport === null) this.connect();
    else this.heartbeat.doubt();
  }

  /** The page is left: tell the server, which could take it for a lost line. `check` opens another if it is come back to. */
  leave(): void {
    const { transport } = this;
    clearTimeout(this.retry);
    if (transport === null) return;
    this.abandon('lost');
    transport.close(1000);
  }

  /**
   * Close and open again, so that the server sees the session of now. Resolves after its welcome.
   *
   * @throws Refused `offline` when there is none for too long.
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

  /** Ask, and get the `ok` or a `Refused`. */
  ask(message: Outgoing): Promise<Reply> {
    return this.requests.ask(message);
  }

  /** Ask for a change: carries a key, is sent again until it is answered or lapses, and counts once. */
  change(message: Outgoing): Promise<Reply> {
    return this.requests.change(message);
  }

  /** Listen to a topic, with these fields of its `sub`; `last`: asked for after what the page needs. */
  subscribe(name: string, topic: Topic, options: Record<string, unknown> = {}, order: { last?: boolean } = {}): Subscription {
    return this.topics.add(name, topic, options, order);
  }

  /** Have the open invitations by and for the person told again; `afresh` after those that were known are forgotten. */
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
    if (this.state !== 'open' || this.transport === null) return null;
    const data = this.codec.encode(message);
    this.transport.send(data);
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
    if (!topic && name === 'user') this.onpush(message as PersonalMessage);
    if (!topic?.quiet) this.onchange();
  }

  private welcome({ now, user, games }: Welcome): void {
    this.time.forget();
    this.time.adjust(now);
    this.state = 'open';
    this.connectionNumber += 1;
    this.opened = performance.now();
    const was = this.user;
    const other = this.welcomed && was?.id !== user?.id;
    // A guest who has become a member keeps his id, but the topics know him by his old name.
    const changed = other || (this.welcomed && was?.name !== user?.name);
    this.welcomed = true;
    // Pairings of a person who was here before, and did not hear of them because the line was lost.
    const missed = was && !other ? games.filter((g) => !this.games.includes(g)) : [];
    this.user = user;
    this.games = games;
    // A stranger who has become somebody is still the one who asked.
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
      () => undefined, // the line is lost, which others are told, or there is too much on it
    );
  }

  /** Nothing was heard in time. */
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
