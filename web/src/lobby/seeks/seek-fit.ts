/** Which seeks the person can accept, and their order. */

import type { Rating, Seek, User, Waiter } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { speedOf } from '../../time/speed';
import { perfOf } from '../../variants/perfs';
import { gameOf } from '../../variants/registry';

/**
 * `own`: by the person. `members`: rated, and the person is a guest. `range`: for other ratings. `refused`: the server
 * has refused to pair the two.
 */
export type SeekFit = 'own' | 'fits' | 'members' | 'range' | 'refused';

export interface Viewer {
  /** Null before there is a session; the person would be a guest. */
  user: User | null;
  /** By perf; null while not known. */
  ratings: Readonly<Record<string, Pick<Rating, 'rating'>>> | null;
}

/** The rating of an unrated person. */
export const UNRATED = 1500;

export function seekFit(seek: Seek, { user, ratings }: Viewer): SeekFit {
  if (seek.user.id === user?.id) return 'own';
  const guest = (user?.kind ?? 'guest') === 'guest';
  if (seek.rated && guest) return 'members';
  // Until the ratings are known the server decides.
  if (ratings === null && !guest) return 'fits';
  const mine = ratings?.[perfOf(seek.variant, speedOf(seek.tc))]?.rating ?? UNRATED;
  return mine < (seek.min_rating ?? 0) || mine > (seek.max_rating ?? Infinity) ? 'range' : 'fits';
}

/** An open seek, or a person in a casual pool as one. */
export interface ListedSeek {
  seek: Seek;
  fit: SeekFit;
  /** The person in a pool. */
  waiter?: Waiter;
}

/** A person in a casual pool as a seek, for the list and the graph. */
function seekOf({ user, rating, provisional, pool, game, variant }: Waiter): Seek {
  const terms = { game, variant, tc: presetControl(pool), rated: false, rules: gameOf(variant).profiles[0]!, position: null };
  return { seek: `pool:${user.id}`, user, rating, provisional, ...terms, color: 'random', min_rating: null, max_rating: null };
}

/** Stands for one wait of a person. */
export const waitKey = ({ user, since }: Waiter): string => `${user.id} ${since}`;

/**
 * Own seeks first, then those the person can accept, then the others: of each kind the seeks, then people in pools,
 * oldest first. `refused`: waits that the person cannot end; they keep their place, or the second half of a double click
 * would take somebody else.
 */
export function sortedSeeks(
  seeks: readonly Seek[],
  waiters: readonly Waiter[],
  me: Viewer,
  refused: ReadonlySet<string> = new Set(),
): ListedSeek[] {
  const rank = { own: 0, fits: 1, members: 2, range: 2, refused: 1 };
  const waiting = waiters.map((waiter): Omit<ListedSeek, 'fit'> => ({ seek: seekOf(waiter), waiter }));
  return [...seeks.map((seek): Omit<ListedSeek, 'fit'> => ({ seek })), ...waiting]
    .map((one): ListedSeek => ({ ...one, fit: one.waiter && refused.has(waitKey(one.waiter)) ? 'refused' : seekFit(one.seek, me) }))
    .sort((a, b) => rank[a.fit] - rank[b.fit]);
}
