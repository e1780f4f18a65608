/** The topics a page listens to: asked for again on every line, `from` the last event that was seen. */

import { Refused, type TopicMessage } from './protocol';
import type { Requests } from './requests';

/** `gap`: an event is missing, subscribe afresh. `stale`: known already. `done`: taken in. */
export type TakeResult = 'done' | 'stale' | 'gap';

/** What a subscription does with its messages. */
export interface Topic {
  /** Last numbered event seen; undefined asks for the snapshot. */
  seq(): number | undefined;
  take(message: TopicMessage): TakeResult;
  /** It sees to what is drawn for it: messages come too often for the whole page. */
  readonly quiet?: boolean;
}

export interface Subscription {
  /** Ask for the snapshot again. */
  refresh(): void;
  close(): void;
}

interface Entry {
  readonly topic: Topic;
  /** Fields of the `sub`. */
  readonly options: Record<string, unknown>;
  /** Asked for after the others: what stands beside the page. */
  readonly last: boolean;
  /** Which `sub` of it counts: one that was asked for later has taken the place of the others. */
  asked: number;
}

export class Subscriptions {
  private readonly entries = new Map<string, Entry>();

  /** `changed`: a topic was told something that is to be seen. */
  constructor(
    private readonly requests: Requests,
    private readonly isOpen: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** In the place of another to the same topic. */
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
        // Whether it was subscribed or not is the same to everybody.
        if (this.isOpen()) this.requests.ask({ t: 'unsub', topic: name }).catch(() => undefined);
      },
    };
  }

  /** A line is open: ask for all of them; `afresh` for their snapshots. */
  resume(how: { afresh: boolean }): void {
    const inTurn = [...this.entries].sort(([, a], [, b]) => Number(a.last) - Number(b.last));
    for (const [name, entry] of inTurn) void this.sub(name, entry, how);
  }

  /** Give a push to its topic, which is given back; undefined when nobody listens to it. */
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
      // Without a line: it is asked for on the next one. Else there is no such topic, and its owner is told.
      if (error.code === 'offline' || !wanted()) return;
      entry.topic.take({ t: 'error', topic: name, code: error.code, message: error.message });
      this.changed();
    }
  }
}
