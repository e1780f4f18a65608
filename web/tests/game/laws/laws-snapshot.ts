/** A game by the Laws, and parts of it. */

import type { GameSnapshot } from '../../../src/net/protocol';
import { GAME } from '../../access/accessible-game';

export type Laws = NonNullable<GameSnapshot['laws']>;

export const LAWS: Laws = {
  supervised: true,
  draw_from: 0,
  default_s: 60,
  score_sheet: false,
  kind: 'blitz',
  rulings: 'at_once',
  flag: 'server',
  seated: { w: true, b: true },
  adjusting: false,
  touched: [],
  bound: null,
  made: null,
  illegal: { w: 0, b: 0 },
  may_claim: false,
  positions: [],
  sheets: null,
  signed: { w: false, b: false },
};

/** After 1. e4 e5, White to move. */
export const byLaws = (change: Partial<Laws> = {}, game: Partial<GameSnapshot> = {}): GameSnapshot => ({
  ...GAME,
  rules: 'fide',
  laws: { ...LAWS, ...change },
  ...game,
});

export const KNIGHT: NonNullable<Laws['made']> = { move: 'g1f3', san: 'Nf3', position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2', draw: false };
