/** Retries a move as another request when the state changed while it was on its way. */

import { Refused, type Outgoing } from '../../net/protocol';

/** Most attempts; one or two are usual. */
const ATTEMPTS = 4;

/**
 * Send `first`. After a conflict send what `otherwise` gives for the failed request, until it gives null. Resolves to
 * the request that succeeded.
 *
 * @throws Refused the last refusal
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
