/** Which seeks a person can take, and in what order he sees them. */

import type { Rating, Seek, User } from '../../net/protocol';
import { speedOf } from '../../time/speed';
import { perfOf } from '../../variants/perfs';

/** `own`: his. `members`: rated, and he is a guest. `range`: for other ratings than his. */
export type SeekFit = 'own' | 'fits' | 'members' | 'range';

export interface Viewer {
  /** Null for who is nobody yet; he would come as a guest. */
  user: User | null;
  /** By perf; null while they are not known. */
  ratings: Readonly<Record<string, Pick<Rating, 'rating'>>> | null;
}

/** Who has no rating counts as this. */
export const UNRATED = 1500;

export function seekFit(seek: Seek, { user, ratings }: Viewer): SeekFit {
  if (seek.user.id === user?.id) return 'own';
  const guest = (user?.kind ?? 'guest') === 'guest';
  if (seek.rated && guest) return 'members';
  // Until they are known the server has the last word.
  if (ratings === null && !guest) return 'fits';
  const mine = ratings?.[perfOf(seek.variant, speedOf(seek.tc))]?.rating ?? UNRATED;
  return mine < (seek.min_rating ?? 0) || mine > (seek.max_rating ?? Infinity) ? 'range' : 'fits';
}

/** His own first, to be withdrawn, then those he can take, then the others; each the oldest first. */
export function sortedSeeks(seeks: readonly Seek[], me: Viewer): { seek: Seek; fit: SeekFit }[] {
  const rank = { own: 0, fits: 1, members: 2, range: 2 };
  return seeks
    .map((seek) => ({ seek, fit: seekFit(seek, me) }))
    .sort((a, b) => rank[a.fit] - rank[b.fit]);
}
