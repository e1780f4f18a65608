/** The games of the wall, in its address and kept for the next visit. */

import { query } from '../net/api';

export const MOST_GAMES = 12;

const ID = /^[0-9A-Za-z]{1,64}$/;
/** In the address of a game, also an embedded one. */
const IN_ADDRESS = /\/game\/([0-9A-Za-z]{1,64})(?![0-9A-Za-z])/;
const KEY = 'wall';

/** Unique ids, in order, as many as a wall holds. */
export function wallOf(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => ID.test(id)))].slice(0, MOST_GAMES);
}

/** The games in an address, as `?games=a,b`. */
export const gamesIn = (search: string): string[] => wallOf((new URLSearchParams(search).get('games') ?? '').split(','));

// Commas need no encoding in a query.
export const wallAddress = (games: readonly string[]): string => `/wall${query({ games: games.join(',') }).replaceAll('%2C', ',')}`;

/** The games in a pasted text, by id or address, and the words that name none. */
export function gamesNamed(text: string): { games: string[]; unknown: string[] } {
  const games: string[] = [];
  const unknown: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const id = IN_ADDRESS.exec(word)?.[1] ?? (ID.test(word) ? word : null);
    if (id === null) unknown.push(word);
    else games.push(id);
  }
  return { games: [...new Set(games)], unknown };
}

/** With `g` moved to place `to`. */
export function movedTo(games: readonly string[], g: string, to: number): string[] {
  const from = games.indexOf(g);
  if (from < 0) return [...games];
  return games.toSpliced(from, 1).toSpliced(Math.max(0, Math.min(to, games.length - 1)), 0, g);
}

/** The number of columns in which `count` boards are largest; each is `above` taller than wide. Lengths in pixels. */
export function columnsFor(count: number, width: number, height: number, above: number, gap: number): number {
  const side = (columns: number) => {
    const rows = Math.ceil(count / columns);
    return Math.min((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows - above);
  };
  const choices = Array.from({ length: Math.max(1, count) }, (_, index) => index + 1);
  return choices.reduce((best, columns) => (side(columns) > side(best) ? columns : best), 1);
}

/**
 * Width of `count` boards in `columns` columns, in pixels. If not all rows fit into `height`, the space below the
 * boards is given up while they stay as wide as `least`.
 */
export function sideFor(count: number, columns: number, size: { width: number; height: number; above: number; gap: number; least: number }): number {
  const { width, height, above, gap, least } = size;
  const rows = Math.ceil(count / columns);
  const wide = (width - gap * (columns - 1)) / columns;
  const high = (height - gap * (rows - 1)) / rows - above;
  return Math.floor(Math.min(wide, high < least ? Math.max(least, height - above / 4) : high));
}

/** The wall as kept in storage. */
export class StoredWall {
  constructor(private readonly storage: Storage | null) {}

  get games(): string[] {
    try {
      const kept: unknown = JSON.parse(this.storage?.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? wallOf(kept.filter((id) => typeof id === 'string')) : [];
    } catch {
      return [];
    }
  }

  set games(games: readonly string[]) {
    try {
      this.storage?.setItem(KEY, JSON.stringify(wallOf(games)));
    } catch {
      // The storage is full: the wall lasts as long as the page.
    }
  }
}
