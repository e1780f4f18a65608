/** What a game of any kind is to the pages, once it is here. */

import { CHESS_KIND } from './chess/kind';
import type { GameKind } from './core/game-kind';
import { groundOf, type VariantRef } from './grounds';

let groundKind: typeof import('./ground/kind').groundKind | null = null;

/** Of what has not come yet a promise, that is never kept where the line is gone. */
export function kindOf(of: VariantRef): GameKind | Promise<GameKind> {
  const ground = groundOf(of);
  if (ground === null) return CHESS_KIND;
  if (groundKind !== null && !(ground instanceof Promise)) return groundKind(ground);
  return Promise.all([ground, import('./ground/kind')]).then(([known, module]) => {
    groundKind = module.groundKind;
    return groundKind(known);
  });
}
