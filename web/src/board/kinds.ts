/** The kind of any game, once it is loaded. */

import { CHESS_KIND } from './chess/kind';
import type { GameKind } from './core/game-kind';
import { groundOf, type VariantRef } from './grounds';

let groundKind: typeof import('./ground/kind').groundKind | null = null;

/** A promise until the board is loaded; rejected without a connection. */
export function kindOf(of: VariantRef): GameKind | Promise<GameKind> {
  const ground = groundOf(of);
  if (ground === null) return CHESS_KIND;
  if (groundKind !== null && !(ground instanceof Promise)) return groundKind(ground);
  return Promise.all([ground, import('./ground/kind')]).then(([known, module]) => {
    groundKind = module.groundKind;
    return groundKind(known);
  });
}
