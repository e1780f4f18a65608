/** A game after 1. e4 e5, seen by White, as the accessibility layer has it. */

import type { AccessibleGame } from '../../src/access/accessible-game';
import { answer } from '../../src/access/commands';
import { CHESS_KIND } from '../../src/board/chess/kind';
import type { Color, GameSnapshot } from '../../src/net/protocol';
import { DEFAULTS } from '../../src/settings/settings';
import { SNAPSHOT } from '../state/snapshot';

export const GAME: GameSnapshot = {
  ...SNAPSHOT,
  seq: 3,
  tc: { base_s: 180, inc_s: 2 },
  moves: ['e2e4', 'e7e5'],
  notation: ['e4', 'e5'],
  position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
  clock: { w: 170_000, b: 61_000, run: 'w', at: 0 },
  status: 'live',
};

const LEGAL = ['g1f3', 'g1e2', 'b1c3', 'd2d4', 'e1e2', 'f1a6'];

export function table(change: Partial<GameSnapshot> = {}, own: Color[] = ['w'], more: Partial<AccessibleGame> = {}): AccessibleGame {
  const game = { ...GAME, ...change };
  return {
    game,
    kind: CHESS_KIND,
    telling: DEFAULTS,
    own,
    bottom: 'w',
    shown: game.moves.length,
    position: game.position,
    legal: own.includes(game.turn) ? LEGAL : null,
    leaps: null,
    underway: null,
    premove: null,
    confirming: null,
    choosing: [],
    hint: null,
    laws: null,
    away_ms: null,
    first_ms: null,
    left_ms: (color) => game.clock?.[color] ?? null,
    premoveOptions: () => null,
    ...more,
  };
}

export const asked = (text: string, at = table(), confirming?: 'resign') => answer(text, at, { settings: DEFAULTS, confirming });
export const draw = (by: Color) => ({ offers: { ...GAME.offers, draw: by } });
