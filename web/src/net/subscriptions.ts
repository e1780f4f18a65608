/** Subscriptions of the page, renewed on each connection `from` the last event seen. */

import { Refused, type TopicMessage } from './protocol';
import type { Requests } from './requests';

/** `gap`: an event is missing, get the snapshot. `stale`: known already. `done`: applied. */
export type TakeResult = 'done' | 'stale' | 'gap';

/** A consumer of a topic's messages. */
export interface Topic {
  /** Number of the last event seen; undefined asks for the snapshot. */
  seq(): number | undefined;
  take(message: TopicMessage): TakeResult;
  /** Draws by itself: its messages are too frequent to draw the page. */
  readonly quiet?: boolean;
}

export interface Subscription {
  /** Get the snapshot again. */
  refresh(): void;
  close(): void;
}

interface Entry {
  readonly topic: Topic;
  /** Fields of the `sub`. */
  readonly options: Record<string, unknown>;
  /** Requested after the topics of the page. */
  readonly last: boolean;
  /** Number of the current `sub`; older ones are obsolete. */
  asked: number;
}

export class Subscriptions {
  private readonly entries = new Map<string, Entry>();

  /** `changed`: what is shown has changed. */
  constructor(
    private readonly requests: Requests,
    private readonly isOpen: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** Subscribe, in place of another subscription to the same topic. */
  add(name: string, topic: Topic, options: Record<string, unknown>, { last = false } = {}): Subscription {
    const entry = { topic, options, last, asked: 0 };
    this.entries.set(name, entry);
    if (this.isOpen()) void this.sub(name, entry);
    return {
      refresh: () => {
        if (this.isOpen() && this.entries.get(name) === entry) void this.sub(name, entry, { afresh: true });
      },
      close: () => {
        if (this.entries.get(name) !== entry) return;
        this.entries.delete(name);
        // Whether it was subscribed does not matter.
        if (this.isOpen()) this.requests.ask({ t: 'unsub', topic: name }).catch(() => undefined);
      },
    };
  }

  /** Whether something follows this topic. */
  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** A connection is open: subscribe to all; `afresh`: get the snapshots. */
  resume(how: { afresh: boolean }): void {
    const inTurn = [...this.entries].sort(([, a], [, b]) => Number(a.last) - Number(b.last));
    for (const [name, entry] of inTurn) void this.sub(name, entry, how);
  }

  /** Give a push to its topic and return it; undefined if nobody is subscribed. */
  take(name: string, message: TopicMessage): Topic | undefined {
    const entry = this.entries.get(name);
    if (entry?.topic.take(message) === 'gap') void this.sub(name, entry, { afresh: true });
    return entry?.topic;
  }

  private async sub(name: string, entry: Entry, { afresh = false } = {}): Promise<void> {
    const asked = ++entry.asked;
    const wanted = () => this.entries.get(name) === entry && entry.asked === asked;
    const from = afresh ? undefined : entry.topic.seq();
    const message = { t: 'sub', topic: name, ...entry.options, ...(from === undefined ? {} : { from }) };
    try {
      await this.requests.insist(message, wanted);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Offline, the next connection subscribes again. Otherwise the topic does not exist, and its consumer is told.
      if (error.code === 'offline' || !wanted()) return;
      entry.topic.take({ t: 'error', topic: name, code: error.code, message: error.message });
      this.changed();
    }
  }
}
