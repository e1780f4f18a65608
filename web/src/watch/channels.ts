/** The game of each TV channel, as a fold of the server's messages. */

import type { TvMessage } from '../net/protocol';
import type { TakeResult } from '../net/subscriptions';
import { DEFAULT_VARIANT, families, gameOf, VARIANTS } from '../variants/registry';
import { SPEEDS } from '../time/speed';
import { isKey, nameOf, say, variantName } from '../words/words';

/** The top game. */
export const BEST = 'best';

/** The board of a simul where the host is. */
export const SIMUL = 'simul';

/** Speeds of standard chess that have a channel. */
const PACES: readonly string[] = SPEEDS.filter((speed) => speed !== 'correspondence' && speed !== 'unlimited');

/** The families; each has a channel of its best game. */
const FAMILIES: readonly string[] = families().map(([family]) => family);

/** The best game, the best of each family, a simul. */
const FIRST: readonly string[] = [BEST, ...FAMILIES, SIMUL];

/** And one of each speed and of each other variant. */
export const CHANNELS: readonly string[] = [...FIRST, ...PACES, ...VARIANTS.filter((variant) => variant !== DEFAULT_VARIANT)];

export function channelName(channel: string): string {
  if (channel === BEST) return say('tv.best');
  if (channel === SIMUL) return say('tv.simul');
  if (FAMILIES.includes(channel)) return nameOf('tv.family', channel);
  return isKey(`speed.${channel}`) ? nameOf('speed', channel) : variantName(channel);
}

/** The family of a channel; null if it shows games of several. */
export function familyOf(channel: string): string | null {
  if (FAMILIES.includes(channel)) return channel;
  if (PACES.includes(channel)) return gameOf(DEFAULT_VARIANT).game;
  return gameOf(channel).game || null;
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

  /** The channels that are offered at once. Others, those of a family, follow when one of them is chosen. */
  first(): readonly string[] {
    return [...FIRST, ...this.names().filter((name) => !FIRST.includes(name) && familyOf(name) === null)];
  }

  /** The other channels of the family of `chosen`. */
  within(chosen: string): string[] {
    const family = familyOf(chosen);
    return family === null ? [] : this.names().filter((name) => name !== family && familyOf(name) === family);
  }

  /** Those of variants without any game so far, except `chosen`. */
  quiet(chosen: string): string[] {
    return this.within(chosen).filter((name) => name !== chosen && !PACES.includes(name) && this.games?.[name] === undefined);
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
