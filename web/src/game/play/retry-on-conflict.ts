/** Asking for a move in another way, where things have changed while it was on its way. */

import { Refused, type Outgoing } from '../../net/protocol';

/** So often a move is asked for: who comes and goes in the meantime does it but once or twice. */
const ATTEMPTS = 4;

/**
 * Ask for `first`; after a conflict for what `otherwise` says of what was asked, as long as it says anything. Settles with
 * what was done at last.
 *
 * @throws Refused as the server did at last
 */
export async function retryOnConflict(
  first: Outgoing,
  change: (asked: Outgoing) => Promise<unknown>,
  otherwise: (asked: Outgoing) => Outgoing | null,
): Promise<Outgoing> {
  let asked = first;
  for (let more = ATTEMPTS - 1; ; more -= 1) {
    try {
      await change(asked);
      return asked;
    } catch (error) {
      const next = error instanceof Refused && error.code === 'conflict' && more > 0 ? otherwise(asked) : null;
      if (next === null) throw error;
      asked = next;
    }
  }
}
