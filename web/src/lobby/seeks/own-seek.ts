/** Whether the person looks already for the very game that a button of the lobby would look for. */

import type { Seek, TimeControl } from '../../net/protocol';
import { describe } from '../../time/control-text';
import { isSameDelay, type Delay } from '../../time/delay';

export interface SeekTerms extends Delay {
  variant: string;
  tc: TimeControl;
  color: string;
  /** Without it, casual. */
  rated?: boolean;
  /** Without it, the usual. */
  rules?: string;
  /** Without them, or null: whoever comes. */
  min_rating?: number | null;
  max_rating?: number | null;
  /** Without it, or null: one that is drawn. */
  position?: number | null;
}

/** His seek for `wanted`; `me` is his id. */
export function ownSeek(seeks: readonly Seek[], me: string | undefined, wanted: SeekTerms): Seek | undefined {
  const { variant, tc, color, rated = false, rules = 'online' } = wanted;
  const { min_rating = null, max_rating = null, position = null } = wanted;
  return seeks.find(
    (seek) =>
      seek.user.id === me &&
      seek.variant === variant &&
      seek.color === color &&
      seek.rated === rated &&
      seek.rules === rules &&
      seek.min_rating === min_rating &&
      seek.max_rating === max_rating &&
      seek.position === position &&
      isSameDelay(seek, wanted) &&
      describe(seek.tc) === describe(tc),
  );
}
