/** The time for a first move, before the server aborts the game. */

import type { GameSnapshot } from '../../net/protocol';

/** Longer limits, of games of days, are not counted down. */
const NEAR_MS = 60_000;

/** Milliseconds left at server time `now`; null if no first move is awaited. */
export function firstMoveLeft_ms({ status, clock }: GameSnapshot, now: number): number | null {
  const by = status === 'created' ? clock?.first_move_by : undefined;
  // The time begins again when the server goes on. Until it says so, the limit is not known.
  if (clock?.held) return null;
  return by === undefined || now >= by || by - now > NEAR_MS ? null : by - now;
}
