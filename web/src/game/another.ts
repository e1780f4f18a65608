/** Looking for another opponent on the terms of a game that was played. */

import { describe } from '../clock';
import { joining } from '../lobby/pool-wait';
import { POOLS, type GameSnapshot, type Outgoing } from '../protocol';
import { presetControl } from '../tempo';

/** By the pool that has these terms, else by a seek. */
export function another({ game, tc, variant, rated }: GameSnapshot): Outgoing {
  const pool = POOLS.find((name) => describe(presetControl(name)) === describe(tc));
  if (pool !== undefined && variant === 'standard') return joining(pool, rated);
  return { t: 'seek', game, variant, rated, tc, color: 'random' };
}
