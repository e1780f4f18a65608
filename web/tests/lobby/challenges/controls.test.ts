import { expect, test } from 'vitest';
import { newOpponentRequest } from '../../../src/game/page/new-opponent';
import { controlsOf, speedOfBoth } from '../../../src/lobby/challenges/controls';
import type { GameSnapshot } from '../../../src/net/protocol';
import { describeSides, spell } from '../../../src/time/control-text';

const DELAY = { base_s: 1200, delay_s: 10 };

test('an invitation spells its control', () => {
  expect(controlsOf({ tc: DELAY, opponent_tc: null }, true)).toBe('20 min, with a delay of 10 s per move');
});

test('a handicap says whose clock is whose, to each of the two', () => {
  const odds = { tc: { base_s: 60, inc_s: 0 }, opponent_tc: { base_s: 300, inc_s: 0 } };
  expect(controlsOf(odds, true)).toBe('you: 1+0; your opponent: 5+0');
  expect(controlsOf(odds, false)).toBe('you: 5+0; your opponent: 1+0');
});

test('a handicap is as fast as who has more time, whichever of them that is', () => {
  const [quick, slow] = [
    { base_s: 60, inc_s: 0 },
    { base_s: 900, inc_s: 0 },
  ];
  expect(speedOfBoth({ tc: quick, opponent_tc: null })).toBe('bullet');
  expect(speedOfBoth({ tc: quick, opponent_tc: slow })).toBe('rapid');
  expect(speedOfBoth({ tc: slow, opponent_tc: quick })).toBe('rapid');
});

const game = (more: object) => ({ game: 'chess', variant: 'standard', rated: false, rules: 'online', tc: { base_s: 60 }, ...more }) as GameSnapshot;
const tcs = { w: { base_s: 60, inc_s: 0 }, b: { base_s: 1200, delay_s: 10 } };

test('a game with a handicap says both controls', () => {
  expect(describeSides(game({}))).toBe('1+0');
  expect(describeSides(game({ tcs }))).toBe('White 1+0; Black 20 d10');
  expect(describeSides(game({ tcs }), spell)).toBe('White 1+0; Black 20 min, with a delay of 10 s per move');
});

test('another opponent is looked for with one’s own control', () => {
  expect(newOpponentRequest(game({ tcs }), 'b')).toMatchObject({ t: 'seek', tc: tcs.b });
  expect(newOpponentRequest(game({ tcs }), 'w')).toMatchObject({ t: 'pool.join', pool: '1+0' });
  expect(newOpponentRequest(game({}), 'b')).toMatchObject({ t: 'pool.join', pool: '1+0' });
});
