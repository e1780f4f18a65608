/** Whether the person looks already for the very game that a button of the lobby would look for. */

import { describe } from '../clock';
import type { Seek, TimeControl } from '../protocol';

export interface Wanted {
  variant: string;
  tc: TimeControl;
  color: string;
  /** Without it, casual. */
  rated?: boolean;
  /** Without it, the usual. */
  rules?: string;
}

/** His seek for `wanted`; `me` is his id. Not one for opponents of certain ratings: no button asks for that. */
export function ownSeek(seeks: readonly Seek[], me: string | undefined, wanted: Wanted): Seek | undefined {
  const { variant, tc, color, rated = false, rules = 'online' } = wanted;
  return seeks.find(
    (seek) =>
      seek.user.id === me &&
      seek.variant === variant &&
      seek.color === color &&
      seek.rated === rated &&
      seek.rules === rules &&
      seek.min_rating === null &&
      seek.max_rating === null &&
      describe(seek.tc) === describe(tc),
  );
}
