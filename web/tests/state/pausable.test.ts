import { expect, test } from 'vitest';
import type { Color, GameSnapshot } from '../../src/net/protocol';
import { mayPause } from '../../src/state/pausable';

const CLOCK = { w: 1, b: 1, run: 'w', at: 0 };
const TC = { base_s: 300, inc_s: 0 };

test.each([
  ['against oneself, of an older server', {}, 'wb', true],
  ['against oneself', { pausable: true }, 'wb', true],
  ['against a robot', { pausable: true }, 'w', true],
  ['against a robot, for spectators', { pausable: true }, '', false],
  ['against a person', {}, 'w', false],
  ['before both have moved', { pausable: true, status: 'created' }, 'w', false],
  ['that is over', { pausable: true, status: 'over' }, 'w', false],
  ['without a clock', { pausable: true, clock: null, tc: null }, 'w', false],
  ['of days a move', { pausable: true, tc: { days: 2 } }, 'w', false],
])('a game %s', (_which, change, own, may) => {
  const game = { status: 'live', clock: CLOCK, tc: TC, ...change } as GameSnapshot;
  expect(mayPause(game, [...own] as Color[])).toBe(may);
});
