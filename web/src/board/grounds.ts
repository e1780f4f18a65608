/**
 * The one place of the page that asks which game it is. Chess comes with the first file, what the other games are
 * played on when it is wanted.
 */

import type { Ground } from './ground/ground';

/** As a game, a line of a list or a board of an exhibition names it. */
export interface VariantRef {
  game: string;
  variant: string;
}

/** What is shown where only chess is: in the settings, in a position that is typed. */
export const CHESS: VariantRef = { game: 'chess', variant: 'standard' };

/** What is played on by those games that have a board of our own. */
export interface Grounds {
  groundOf(variant: string): Ground;
}

const LOADERS: Record<string, () => Promise<Grounds>> = {
  draughts: () => import('./draughts/ground'),
  'chinese-checkers': () => import('./star/ground'),
};

const grounds = new Map<string, Grounds>();
const loading = new Map<string, Promise<Grounds>>();

/** Null for chess. Of what has not come yet a promise, that is never kept where the line is gone. */
export function groundOf({ game, variant }: VariantRef): Ground | Promise<Ground> | null {
  const fetched = LOADERS[game];
  if (fetched === undefined) return null;
  const here = grounds.get(game);
  if (here) return here.groundOf(variant);
  return load(game, fetched).then((all) => all.groundOf(variant));
}

function load(game: string, fetched: () => Promise<Grounds>): Promise<Grounds> {
  let coming = loading.get(game);
  if (coming === undefined) {
    coming = fetched();
    loading.set(game, coming);
    coming.then(
      (all) => grounds.set(game, all),
      // Asked for again by who wants it next.
      () => loading.delete(game),
    );
  }
  return coming;
}
