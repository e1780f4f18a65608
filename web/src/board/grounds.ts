/**
 * The only place that asks which game is played. Chess is in the first chunk; boards of other games are loaded when
 * needed.
 */

import type { Ground } from './ground/ground';

/** The game and variant of a game, a list entry or a board of a simul. */
export interface VariantRef {
  game: string;
  variant: string;
}

/** Where only chess is shown: in the settings, and for typed positions. */
export const CHESS: VariantRef = { game: 'chess', variant: 'standard' };

/** A module with boards of our own. */
export interface Grounds {
  groundOf(variant: string): Ground;
}

const LOADERS: Record<string, () => Promise<Grounds>> = {
  draughts: () => import('./draughts/ground'),
  'chinese-checkers': () => import('./star/ground'),
};

const grounds = new Map<string, Grounds>();
const loading = new Map<string, Promise<Grounds>>();

/** Null for chess. A promise until the board is loaded; rejected without a connection. */
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
      // The next caller tries again.
      () => loading.delete(game),
    );
  }
  return coming;
}
