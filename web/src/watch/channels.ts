/** The game of each TV channel, as a fold of the server's messages. */

import type { TvMessage } from '../net/protocol';
import type { TakeResult } from '../net/subscriptions';
import { DEFAULT_VARIANT, VARIANTS } from '../variants/registry';
import { isKey, nameOf, say, variantName } from '../words/words';

/** The top game. */
export const BEST = 'best';

/** The board of a simul where the host is. */
export const SIMUL = 'simul';

/** The best game, a simul, and one of each speed. */
const ALWAYS: readonly string[] = [BEST, SIMUL, 'bullet', 'blitz', 'rapid', 'classical'];

/** And one of each variant. */
export const CHANNELS: readonly string[] = [...ALWAYS, ...VARIANTS.filter((variant) => variant !== DEFAULT_VARIANT)];

export function channelName(channel: string): string {
  if (channel === BEST) return say('tv.best');
  if (channel === SIMUL) return say('tv.simul');
  return isKey(`speed.${channel}`) ? nameOf('speed', channel) : variantName(channel);
}

export class ChannelStore {
  /** By channel; null before the snapshot. A channel without any game so far is missing. */
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

  /** All channels, in display order; unknown ones last. */
  names(): string[] {
    const told = Object.keys(this.games ?? {});
    return [...CHANNELS, ...told.filter((name) => !CHANNELS.includes(name)).sort()];
  }

  /** Variant channels without any game so far, except `chosen`. */
  quiet(chosen: string): string[] {
    return this.names().filter((name) => name !== chosen && !ALWAYS.includes(name) && this.games?.[name] === undefined);
  }
}

/** How long a running game is shown at least: a simul's host may be at the next board after a second. */
export const STAY_MS = 3_000;

/** What a channel shows now. */
export interface NowShown {
  g: string;
  since: number;
  /** Since when the game is over; null while it runs or is not known. */
  over: number | null;
  /** It is a replay. */
  rerun: boolean;
  /** The newest position is shown. */
  live: boolean;
  /** The replay has reached the end. */
  done: boolean;
}

/** How long the end of a game is shown before the next one. */
export const END_SEEN_MS = 4_000;

export type Turn = { to: string; rerun: boolean } | 'stay' | 'search';

/**
 * What to show next. `told`: the running game, if any; `reruns`: finished games in order. `search`: there is nothing to
 * show, load finished games.
 */
export function nextTurn(now: NowShown | null, told: string | null, reruns: readonly string[] | null, instant: number): Turn {
  const over = (since: number | null) => since !== null && instant - since >= END_SEEN_MS;
  if (now === null) return told !== null ? { to: told, rerun: false } : rerun(reruns);
  const other = told !== null && told !== now.g;
  // A running game replaces one whose end was shown, and never while the person looks back.
  if (other && now.rerun) return { to: told, rerun: false };
  if (other) return now.live && (now.over === null ? instant - now.since >= STAY_MS : over(now.over)) ? { to: told, rerun: false } : 'stay';
  if (now.rerun) return now.done && over(now.over) ? rerun(reruns) : 'stay';
  return now.live && over(now.over) ? rerun(reruns) : 'stay';
}

function rerun(reruns: readonly string[] | null): Turn {
  const [first] = reruns ?? [];
  return first === undefined ? 'search' : { to: first, rerun: true };
}

/** Unseen games first, newest first, then seen ones, longest ago first. */
export function rerunOrder(finished: readonly string[], seen: ReadonlySet<string>): string[] {
  const again = [...seen].filter((g) => finished.includes(g));
  return [...finished.filter((g) => !seen.has(g)), ...again];
}
