/** Kings that have made all the moves in a row that they may, in words. */

import { readRuns } from './fen';
import { variantOf } from './variants';
import type { GameSnapshot } from '../../net/protocol';
import { say } from '../../words/words';

/** A sentence for each; empty in games without such a limit. */
export function waitingKings({ variant, position, status }: Pick<GameSnapshot, 'variant' | 'position' | 'status'>): string {
  if (status === 'over') return '';
  return readRuns(position)
    .filter(({ moves }) => moves === variantOf(variant).kingMoves)
    .map(({ color, square, moves }) => say('game.king-waits', { side: say(`side.${color}`), square, n: moves }))
    .join(' ');
}
