/** The path of a move. */

import type { Square } from '../../notation/pieces';

/** How a move went: its landings, with the last square, and its captures. */
export interface MovePath {
  from: Square;
  path: readonly Square[];
  taken: readonly Square[];
}
