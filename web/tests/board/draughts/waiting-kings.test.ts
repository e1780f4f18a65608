import { expect, test } from 'vitest';
import { readRuns } from '../../../src/board/draughts/fen';
import { groundOf } from '../../../src/board/draughts/ground';
import { waitingKings } from '../../../src/board/draughts/waiting-kings';

const POSITION = 'W:W31,K46:B5,K12:+212+346';

test('a position tells how often in a row kings have moved', () => {
  expect(readRuns(POSITION)).toEqual([
    { color: 'w', square: '46', moves: 3 },
    { color: 'b', square: '12', moves: 2 },
  ]);
  expect(readRuns('W:W31,K46:B5,K12:+0+146')).toEqual([{ color: 'w', square: '46', moves: 1 }]);
  expect(readRuns('W:W31,K46:B5,K12')).toEqual([]);
});

test('the page says which king has to wait', () => {
  const game = { variant: 'frisian', position: POSITION, status: 'live' } as const;
  expect(waitingKings(game)).toBe(
    'White’s king on 46 has moved 3 times in a row. It can only capture until another piece moves.',
  );
  expect(waitingKings({ ...game, position: 'W:W31,K46:B5,K12:+212+0' })).toBe('');
  expect(waitingKings({ ...game, status: 'over' })).toBe('');
  expect(waitingKings({ ...game, variant: 'standard', position: 'rnbqkbnr/8 w - - 0 1' })).toBe('');
});

test('counts put no pieces on the board', () => {
  expect([...groundOf('frisian').placement(POSITION).keys()]).toEqual(['31', '46', '5', '12']);
});
