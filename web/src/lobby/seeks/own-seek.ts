/** Whether the person has an open seek with the same terms as a button. */

import type { LawsTerms, Seek, TimeControl } from '../../net/protocol';
import { describe } from '../../time/control-text';
import { isSameDelay, type Delay } from '../../time/delay';
import { isSameLaws } from '../../variants/laws-terms';

export interface SeekTerms extends Delay {
  variant: string;
  tc: TimeControl;
  color: string;
  /** Default: casual. */
  rated?: boolean;
  /** Default: the usual rules. */
  rules?: string;
  laws?: Partial<LawsTerms>;
  /** Default, or null: anyone. */
  min_rating?: number | null;
  max_rating?: number | null;
  /** Default, or null: drawn. */
  position?: number | null;
}

/** The seek of `me` with the terms `wanted`. */
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
      isSameLaws(seek.laws, wanted.laws) &&
      seek.min_rating === min_rating &&
      seek.max_rating === max_rating &&
      seek.position === position &&
      isSameDelay(seek, wanted) &&
      describe(seek.tc) === describe(tc),
  );
}
