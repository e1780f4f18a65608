/** The squares that a move goes along. */

import type { Square } from '../../notation/pieces';

/** How a move went: where it landed, the last place included, and what it took. */
export interface MovePath {
  from: Square;
  path: readonly Square[];
  taken: readonly Square[];
}
