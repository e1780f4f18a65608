/** The format of positions of each game. */

import type { GameKind } from '../core/game-kind';
import { kindOf } from '../kinds';
import type { VariantRef } from '../grounds';
import { chessFormat } from './chess-format';
import { draughtsFormat } from './draughts-format';
import type { PositionFormat } from './setup';
import { starFormat } from './star-format';

const MAKERS: Readonly<Record<string, (kind: GameKind, variant: string) => PositionFormat>> = {
  chess: (_, variant) => chessFormat(variant),
  draughts: draughtsFormat,
  'chinese-checkers': starFormat,
};

/** Null for a game that this page does not know; rejected without a connection. */
export async function formatOf(of: VariantRef): Promise<PositionFormat | null> {
  const make = MAKERS[of.game];
  return make === undefined ? null : make(await kindOf(of), of.variant);
}
