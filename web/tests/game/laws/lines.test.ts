import { expect, test } from 'vitest';
import { lineOf } from '../../../src/game/laws/lines';
import { flagOfOpponent, mayClaimDraw, mayOfferDraw, stageOf } from '../../../src/game/laws/stage';
import { DEFAULTS } from '../../../src/settings/settings';
import { byLaws, KNIGHT } from './laws-snapshot';

const PAWN = { move: 'a7a8', san: 'a8', position: 'P7/7k/8/8/8/8/8/K7 w - - 0 1', draw: false };

test.each([
  [{}, ['w'], 'Make your move, then press your clock.'],
  [{}, ['b'], 'White to move.'],
  [{ made: KNIGHT }, ['w'], 'You have made Nf3. Press your clock.'],
  [{ made: KNIGHT }, ['b'], 'White has made Nf3; the clock is not pressed.'],
  [{ made: KNIGHT }, ['w', 'b'], 'White has made Nf3; the clock is not pressed.'],
  [{ made: PAWN }, ['w'], 'Choose the piece. If you press the clock before, the move is illegal.'],
  [{ adjusting: true }, ['w'], 'You adjust pieces: touching does not bind you.'],
  [{ adjusting: true }, [], 'White adjusts pieces.'],
  [{ touched: ['g1'], bound: ['g1f3'] }, ['w'], 'You have touched g1. You must move or take it.'],
  [{ touched: ['a1'] }, ['w'], 'You have touched a1.'],
  [{ touched: ['a1'] }, ['b'], 'White has touched a1.'],
  [{ seated: { w: true, b: false } }, ['w'], 'You are at the board. Black has not come yet: 1 minute from the start (6.6).'],
  [{ seated: { w: true, b: false }, default_s: 45 }, [], 'Black has not come yet. Default time: 45 seconds (6.6).'],
] as const)('%o for %o', (change, own, words) => {
  expect(lineOf(byLaws(change as object), own, DEFAULTS)).toBe(words);
});

test('a draw may be offered with a move, and claimed before a piece is touched', () => {
  expect([stageOf(byLaws(), 'w'), stageOf(byLaws({ touched: ['g1'] }), 'w'), stageOf(byLaws({ made: KNIGHT }), 'w'), stageOf(byLaws(), 'b')]).toEqual(['free', 'touched', 'made', 'waiting']);
  expect([mayClaimDraw(byLaws(), 'w'), mayClaimDraw(byLaws({ touched: ['g1'] }), 'w'), mayClaimDraw(byLaws({}, { moves: [] }), 'w')]).toEqual([true, false, false]);
});

test.each([[0, true], [2, true], [3, false], [null, false]])('an offer barred until move %s', (draw_from, may) => {
  expect(mayOfferDraw(byLaws({ draw_from }), 'w')).toBe(may);
});

test('an open offer is not repeated', () => {
  expect(mayOfferDraw(byLaws({}, { offers: { draw: 'w', takeback: null, rematch: null } }), 'w')).toBe(false);
});

test('the flag of the opponent is claimed where no server watches it', () => {
  const clock = { w: 5_000, b: 0, run: 'w' as const, at: 0 };
  expect(flagOfOpponent(byLaws({ flag: 'claim' }, { clock }), 'w', 0)).toBe(true);
  expect(flagOfOpponent(byLaws({ flag: 'claim' }, { clock }), 'b', 0)).toBe(false);
  expect(flagOfOpponent(byLaws({ flag: 'claim' }, { clock }), 'b', 6_000)).toBe(true);
  expect(flagOfOpponent(byLaws({}, { clock }), 'w', 0)).toBe(false);
});
