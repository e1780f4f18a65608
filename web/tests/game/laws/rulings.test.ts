import { expect, it, test } from 'vitest';
import { tellRuling, writeMade } from '../../../src/game/laws/rulings';
import type { GameEvent } from '../../../src/net/protocol';
import { DEFAULTS } from '../../../src/settings/settings';
import { byLaws, KNIGHT } from './laws-snapshot';

type Ruling = Extract<GameEvent, { t: 'ruling' }>;

const ruling = (change: Partial<Ruling>): Ruling => ({
  t: 'ruling', g: 'abc', seq: 4, by: 'w', what: 'illegal_move', move: 'g1g4', times: 1, given_ms: 120_000, touched: [], clock: null, ...change,
});

const CLAIM = { rulings: 'by_claim' } as const;

test.each([
  [{}, byLaws(), 'Ng4', 'White’s Ng4 is illegal (FIDE 7.4): taken back. Black gets 2 minutes. 1 of 3.'],
  [{ by: 'b', times: 2 }, byLaws({ ...CLAIM, kind: 'rapid' }), 'Ng4', 'Black’s Ng4 is illegal (FIDE A4): taken back. White gets 2 minutes. 2 of 3.'],
  [{ given_ms: 0 }, byLaws(CLAIM), 'Ng4', 'White’s Ng4 is illegal (FIDE B3).'],
  [{ what: 'promotion' }, byLaws(), 'a8', 'White pressed the clock before promoting (FIDE 4.4, 7.4): taken back. Black gets 2 minutes. 1 of 3.'],
  [{ what: 'no_move', move: null }, byLaws(), '', 'White pressed the clock without a move (FIDE 6.7, 7.4). Black gets 2 minutes. 1 of 3.'],
  [{ what: 'wrong_claim', given_ms: 180_000 }, byLaws(), 'Ng1–f3', 'White’s claim is wrong (FIDE 9.5): Ng1–f3 must be played. Black gets 3 minutes.'],
  [{ what: 'wrong_claim', given_ms: 180_000 }, byLaws(), '', 'White’s claim is wrong (FIDE 9.5). Black gets 3 minutes.'],
  [{}, byLaws({}, { rules: 'uscf' }), 'Ng4', 'White’s Ng4 is illegal (US Chess 11D): taken back. Black gets 2 minutes.'],
  [{ what: 'correction', given_ms: 0 }, byLaws(CLAIM, { rules: 'official' }), '33-29', 'White’s irregular 33-29 is corrected (article 35).'],
] as const)('%o is told with its article', (change, game, text, words) => {
  expect(tellRuling(ruling(change), game, text)).toBe(words);
});

it('a made move is written as the person wants it', () => {
  const game = byLaws({ made: KNIGHT });
  expect(writeMade(game, 'g1f3', { ...DEFAULTS, letters: 'de' })).toBe('Sf3');
  expect(writeMade(game, 'b1c3', DEFAULTS)).toBe('b1c3');
  expect(writeMade(game, null, DEFAULTS)).toBe('');
});
