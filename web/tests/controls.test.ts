import { expect, test } from 'vitest';
import { controlsOf } from '../src/lobby/controls';

const DELAY = { base_s: 1200, delay_s: 10 };

test('an invitation spells its control', () => {
  expect(controlsOf({ tc: DELAY, opponent_tc: null }, true)).toBe('20 min, each move waits 10 s before time runs');
});

test('a handicap says whose clock is whose, to each of the two', () => {
  const odds = { tc: { base_s: 60, inc_s: 0 }, opponent_tc: { base_s: 300, inc_s: 0 } };
  expect(controlsOf(odds, true)).toBe('you: 1+0; your opponent: 5+0');
  expect(controlsOf(odds, false)).toBe('you: 5+0; your opponent: 1+0');
});
