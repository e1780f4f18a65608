/** Filter of running games, in the page's address and the server's parameters. */

import { SPEEDS } from '../time/speed';
import { VARIANTS } from '../variants/registry';

export interface LiveFilter {
  speed?: string;
  variant?: string;
  /** Of both players. */
  min_rating?: string;
  /** A player has a title. */
  title?: '1';
  friends?: '1';
}

export type LiveFilterName = keyof LiveFilter;

export const LIVE_OPTIONS = {
  speed: SPEEDS as readonly string[],
  variant: VARIANTS,
  min_rating: ['1200', '1500', '1800', '2000', '2200', '2400'],
  title: ['1'],
  friends: ['1'],
} as const satisfies Record<LiveFilterName, readonly string[]>;

const NAMES = Object.keys(LIVE_OPTIONS) as LiveFilterName[];
const MOST_RATING = 4000;

/** The valid part of `values`; a link may be old or mistyped. */
export function liveFilterOf(values: { get(name: string): unknown }): LiveFilter {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = values.get(name);
      return typeof value === 'string' && isFine(name, value) ? [[name, value]] : [];
    }),
  );
}

/** A link may have a rating that the form does not offer. */
function isFine(name: LiveFilterName, value: string): boolean {
  if (name === 'min_rating') return /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MOST_RATING;
  return (LIVE_OPTIONS[name] as readonly string[]).includes(value);
}

export const isEmptyFilter = (filter: LiveFilter): boolean => Object.keys(filter).length === 0;
