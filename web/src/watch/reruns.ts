/** Finished games of a TV channel that are worth a replay. */

import { query } from '../net/api';
import type { GamesPage, ListedGame } from '../net/protocol';
import { SPEEDS } from '../time/speed';
import { Resource } from '../ui/resource';
import { BEST, END_SEEN_MS, familyOf, rerunOrder, SIMUL } from './channels';

/** Games that are considered. */
const RERUNS = 50;
/** Games with fewer half-moves are not worth it. */
export const LEAST_PLIES = 10;
/** Too slow to replay. */
const SLOW = ['correspondence', 'unlimited'];
/** How often to look for finished games when there is nothing to replay. */
const SEARCH_MS = 30_000;

export class Reruns {
  private finished: Resource<GamesPage> | null = null;
  private searchAt = 0;
  /** Games that were replayed, or watched to their end; the latest last. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly channel: string,
    private readonly changed: () => void,
  ) {}

  close(): void {
    this.finished?.close();
  }

  /** Whether the list was loaded. */
  isKnown(): boolean {
    return this.finished?.value != null;
  }

  /** Ids in the order of replay; null before they are known. */
  list(): string[] | null {
    const { value: got } = this.finished ?? {};
    return got ? rerunOrder(got.games.filter(isWorth).map(({ g }) => g), this.seen) : null;
  }

  /** `g` was shown: others come first. */
  see(g: string): void {
    this.seen.delete(g);
    this.seen.add(g);
  }

  /** A game has ended: spread the requests of all spectators. */
  spread(instant: number): void {
    this.searchAt = instant + (Math.random() * END_SEEN_MS) / 2;
  }

  /** Load the list, and again after a while. */
  search(instant: number): void {
    // A simul is only followed.
    if (instant < this.searchAt || this.channel === SIMUL) return;
    this.searchAt = instant + SEARCH_MS;
    const { channel } = this;
    const isSpeed = (SPEEDS as readonly string[]).includes(channel);
    const kind = channel === BEST ? {} : isSpeed ? { speed: channel } : familyOf(channel) === channel ? { game: channel } : { variant: channel };
    if (this.finished?.state === 'there') void this.finished.load();
    this.finished ??= new Resource(`/api/v1/games${query({ ...kind, limit: RERUNS })}`, this.changed);
  }
}

const isWorth = ({ status, result, plies, speed }: ListedGame): boolean =>
  status === 'over' && result !== '*' && plies >= LEAST_PLIES && !SLOW.includes(speed);
