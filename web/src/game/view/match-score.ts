/** Match score of two players: of a series of rematches as the server tells it, else of their games of this variant in this tab. */

import type { KeyValueStorage } from '../../browser/storage';
import type { Color, GameSnapshot } from '../../net/protocol';

interface Match {
  points: Record<string, number>;
  /** Games counted so far. */
  counted: string[];
}

const POINTS: Record<string, Record<Color, number>> = {
  '1-0': { w: 1, b: 0 },
  '0-1': { w: 0, b: 1 },
  '1/2-1/2': { w: 0.5, b: 0.5 },
};

/** Count a finished game; again has no effect. */
export function countGame(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'>, game: GameSnapshot): void {
  const key = keyOf(game);
  const points = POINTS[game.result];
  if (key === null || points === undefined) return;
  const match = read(storage, key);
  if (match.counted.includes(game.g)) return;
  for (const color of ['w', 'b'] as const) {
    const id = idOf(game, color);
    match.points[id] = (match.points[id] ?? 0) + points[color];
  }
  match.counted.push(game.g);
  try {
    storage.setItem(key, JSON.stringify(match));
  } catch {
    // No storage: no score.
  }
}

/** `1½–½` with the points of `first` first, this game included once it is over; null for the first game. */
export function matchScore(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'>, game: GameSnapshot, first: Color): string | null {
  if (game.match) {
    const { match, result } = game;
    return score((color) => match[color] + (POINTS[result]?.[color] ?? 0), first);
  }
  const key = keyOf(game);
  const match = key === null ? null : read(storage, key);
  if (match === null || !match.counted.some((g) => g !== game.g)) return null;
  return score((color) => match.points[idOf(game, color)] ?? 0, first);
}

const score = (of: (color: Color) => number, first: Color): string =>
  `${written(of(first))}–${written(of(first === 'w' ? 'b' : 'w'))}`;

const idOf = (game: GameSnapshot, color: Color): string => game.players[color].user?.id ?? '';

function keyOf(game: GameSnapshot): string | null {
  const ids = [idOf(game, 'w'), idOf(game, 'b')].sort();
  return ids[0] === '' || ids[0] === ids[1] ? null : `match:${[game.variant, ...ids].join(':')}`;
}

function read(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'>, key: string): Match {
  try {
    const found = JSON.parse(storage.getItem(key) ?? 'null') as Match | null;
    if (found !== null && Array.isArray(found.counted)) return found;
  } catch {
    // Invalid: start over.
  }
  return { points: {}, counted: [] };
}

function written(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ''}½`;
}
