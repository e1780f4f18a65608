/** Whether the player can stop the clocks and go on, now. */

import type { Color, GameSnapshot } from '../net/protocol';

/** `own`: the sides that the person plays. Days a move are no clock to stop. */
export function mayPause({ clock, pausable, status, tc }: GameSnapshot, own: readonly Color[]): boolean {
  // An older server does not say it.
  const allowed = pausable ?? own.length === 2;
  return allowed && own.length > 0 && status === 'live' && clock !== null && tc !== null && !('days' in tc);
}
