import { expect, test } from 'vitest';
import { tellStanding, tellState } from '../../src/access/tell';
import { delayOf } from '../../src/lobby/form/delay-field';
import { delayText, HELD_BY_DELAY, isSameDelay, type Delay } from '../../src/time/delay';
import { GAME, table } from '../access/accessible-game';

test.each<[Delay, string, string]>([
  [{}, '', ''],
  [{ delay_s: 0, delay_moves: 0 }, '', ''],
  [{ delay_s: 60 }, 'spectator delay 1 minute', 'delayed by 1 minute'],
  [{ delay_s: 900 }, 'spectator delay 15 minutes', 'delayed by 15 minutes'],
  [{ delay_s: 90 }, 'spectator delay 90 seconds', 'delayed by 90 seconds'],
  [{ delay_moves: 1 }, 'spectator delay 1 move', 'delayed by 1 move'],
  [{ delay_moves: 10 }, 'spectator delay 10 moves', 'delayed by 10 moves'],
])('%o is told in words', (delay, toPlayers, toOthers) => {
  expect(delayText(delay)).toBe(toPlayers);
  expect(delayText(delay, 'public')).toBe(toOthers);
});

test('every choice is asked for by seconds or by moves', () => {
  expect(['none', '1 min', '15 min', '3 moves'].map(delayOf)).toEqual([{}, { delay_s: 60 }, { delay_s: 900 }, { delay_moves: 3 }]);
});

test('no delay is the same as none', () => {
  expect(isSameDelay({}, { delay_s: 0 })).toBe(true);
  expect(isSameDelay({ delay_moves: 1 }, { delay_s: 1 })).toBe(false);
});

test('to who listens the clocks are told as they were, not as stopped', () => {
  const shown = table({ clock: { ...GAME.clock!, held: HELD_BY_DELAY }, you: null }, []);
  const said = 'The game is delayed; the clocks show the times at this move.';
  expect(tellStanding(GAME, shown)).toEqual([said]);
  expect(tellStanding(shown.game, shown)).toEqual([]);
  expect(tellState(shown)).toContain(said);
});
