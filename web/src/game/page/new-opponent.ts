/** Looking for another opponent on the terms of a game that was played. */

import { joinPool } from '../../lobby/waiting/pool-wait';
import { POOLS, type Color, type GameSnapshot, type Outgoing } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { describe } from '../../time/control-text';
import { gameOf, DEFAULT_VARIANT } from '../../variants/registry';

/** By the pool that has these terms, else by a seek: with a handicap those of `side`, for both. */
export function newOpponentRequest({ game, variant, rated, rules, ...controls }: GameSnapshot, side: Color | null): Outgoing {
  const own = controls.tcs?.[side ?? 'w'] ?? null;
  // Nobody but the host of an exhibition has so much for each single move.
  const tc = own === null || 'move_s' in own ? controls.tc : own;
  const pool = POOLS.find((name) => describe(presetControl(name)) === describe(tc));
  if (pool !== undefined && variant === DEFAULT_VARIANT) return joinPool(pool, rated);
  const terms = rules === gameOf(variant).profiles[0] ? {} : { rules };
  return { t: 'seek', game, variant, rated, tc, color: 'random', ...terms };
}
