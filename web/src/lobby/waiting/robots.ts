/** The robots of the server: their levels, whether one takes a game, and the request for it. */

import { browserStorage, type KeyValueStorage } from '../../browser/storage';
import type { Outgoing, Robots, TimeControl, User } from '../../net/protocol';
import { gameOf } from '../../variants/registry';
import { say } from '../../words/words';

/** From the weakest to the strongest. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

const USUAL_LEVEL = 3;
/** Storage key of the level that was played last. */
const NAME = 'robot.level';

/** The highest level against which there are hints. */
const HINTS_UP_TO = 4;
/** Storage key of whether hints were wanted last. */
const HINTS = 'robot.hints';

type LevelStorage = Pick<KeyValueStorage, 'getItem' | 'setItem'>;

/** `none`: no robot plays now; `game`, `variant`: none plays this game, or this variant of it. */
export type RobotsAbsence = 'none' | 'busy' | 'game' | 'variant';

/** Why no robot takes a game of `variant` now; null if one does. `robots`: of the lobby; undefined if not known. */
export function whyNoRobot(robots: Robots | null | undefined, variant: string): RobotsAbsence | null {
  if (robots === undefined) return null;
  if (robots === null) return 'none';
  const variants = robots.games[gameOf(variant).game] ?? [];
  if (!variants.includes(variant)) return variants.length === 0 ? 'game' : 'variant';
  return robots.busy ? 'busy' : null;
}

/** As a sentence. */
export const whyText = (why: RobotsAbsence): string => say(`robot.why.${why}`);

/** The level of a robot of the server; null for everybody else. */
export function levelOf({ id, kind }: Pick<User, 'id' | 'kind'>): number | null {
  const level = kind === 'bot' ? /^robot([1-8])$/.exec(id)?.[1] : undefined;
  return level === undefined ? null : Number(level);
}

/** The level that was played last. */
export function lastLevel(storage: LevelStorage | null = browserStorage('local')): number {
  // The stored text is not trusted: anybody may have written it.
  return LEVELS.find((level) => String(level) === storage?.getItem(NAME)) ?? USUAL_LEVEL;
}

export function rememberLevel(level: number, storage: LevelStorage | null = browserStorage('local')): void {
  try {
    storage?.setItem(NAME, String(level));
  } catch {
    // The storage is full: the next game has the usual level.
  }
}

/** Whether a player may have hints against this level. */
export const hasHints = (level: number): boolean => level <= HINTS_UP_TO;

/** Whether hints were wanted last. */
export const lastHints = (storage: LevelStorage | null = browserStorage('local')): boolean => storage?.getItem(HINTS) === 'on';

export function rememberHints(on: boolean, storage: LevelStorage | null = browserStorage('local')): void {
  try {
    storage?.setItem(HINTS, on ? 'on' : 'off');
  } catch {
    // The storage is full: the next form has no hints.
  }
}

/** A game with the usual rules, either colour. It starts at once. */
export function robotChallenge(level: number, variant: string, tc: TimeControl): Outgoing {
  return { t: 'challenge', to: 'robot', level, game: gameOf(variant).game, variant, tc, color: 'random', rated: false };
}
