/** Which game each channel of the television shows: a fold of what the server tells. */

import type { TvMessage } from '../net/protocol';
import type { TakeResult } from '../net/subscriptions';
import { DEFAULT_VARIANT, VARIANTS } from '../variants/registry';
import { isKey, nameOf, say, variantName } from '../words/words';

/** The best game of all, and one of each speed. */
const ALWAYS: readonly string[] = ['best', 'bullet', 'blitz', 'rapid', 'classical'];

/** And one of each variant. */
export const CHANNELS: readonly string[] = [...ALWAYS, ...VARIANTS.filter((variant) => variant !== DEFAULT_VARIANT)];

export function channelName(channel: string): string {
  if (channel === 'best') return say('tv.best');
  return isKey(`speed.${channel}`) ? nameOf('speed', channel) : variantName(channel);
}

export class ChannelStore {
  /** By channel; one without any game so far has none. Null before the first telling. */
  games: Readonly<Record<string, string>> | null = null;
  private last: number | undefined;

  seq(): number | undefined {
    return this.last;
  }

  take(message: TvMessage): TakeResult {
    if (message.t === 'tv') {
      this.games = message.channels;
      this.last = message.seq;
      return 'done';
    }
    if (message.t !== 'tv.game') return 'done';
    const { seq, channel, g } = message;
    if (this.last === undefined || this.games === null || seq > this.last + 1) return 'gap';
    if (seq <= this.last) return 'stale';
    this.last = seq;
    this.games = { ...this.games, [channel]: g };
    return 'done';
  }

  /** All there are, in the order in which they are shown; those of a newer server come last. */
  names(): string[] {
    const told = Object.keys(this.games ?? {});
    return [...CHANNELS, ...told.filter((name) => !CHANNELS.includes(name)).sort()];
  }

  /** Those of variants that have shown nothing so far; not `chosen`, which one looks at. */
  quiet(chosen: string): string[] {
    return this.names().filter((name) => name !== chosen && !ALWAYS.includes(name) && this.games?.[name] === undefined);
  }
}

/** What the person sees of a channel now, and since when. */
export interface NowShown {
  g: string;
  /** The game is over since then; null while it goes on, or is not known yet. */
  over: number | null;
  /** It is played over. */
  rerun: boolean;
  /** The newest position is looked at. */
  live: boolean;
  /** A rerun has come to its end. */
  done: boolean;
}

/** So long the end of a game is seen before another takes its place. */
export const END_SEEN_MS = 4_000;

export type Turn = { to: string; rerun: boolean } | 'stay' | 'search';

/**
 * What is to be shown next: `told` is what is on, or may be; `reruns` are finished games, that whose turn it is first.
 * `search`: there is nothing on and nothing to be played over, and finished games are to be asked for.
 */
export function nextTurn(now: NowShown | null, told: string | null, reruns: readonly string[] | null, instant: number): Turn {
  const over = (since: number | null) => since !== null && instant - since >= END_SEEN_MS;
  if (now === null) return told !== null ? { to: told, rerun: false } : rerun(reruns);
  const other = told !== null && told !== now.g;
  // Something is on: it comes when the end of what was shown has been seen, and never into a look back.
  if (other && now.rerun) return { to: told, rerun: false };
  if (other) return now.live && (now.over === null || over(now.over)) ? { to: told, rerun: false } : 'stay';
  if (now.rerun) return now.done && over(now.over) ? rerun(reruns) : 'stay';
  return now.live && over(now.over) ? rerun(reruns) : 'stay';
}

function rerun(reruns: readonly string[] | null): Turn {
  const [first] = reruns ?? [];
  return first === undefined ? 'search' : { to: first, rerun: true };
}

/** What was not `seen` yet comes first, the newest first, then what was seen, the longest ago first. */
export function rerunOrder(finished: readonly string[], seen: ReadonlySet<string>): string[] {
  const again = [...seen].filter((g) => finished.includes(g));
  return [...finished.filter((g) => !seen.has(g)), ...again];
}
