import { expect, test } from 'vitest';
import { pieces } from '../../src/board/chess/mini';

test('the pieces of a position stand where its FEN says', () => {
  expect(pieces('4k3/8/8/8/8/8/P7/4K2R w K - 0 1')).toEqual([
    { sign: 'k', x: 4, y: 0 },
    { sign: 'P', x: 0, y: 6 },
    { sign: 'K', x: 4, y: 7 },
    { sign: 'R', x: 7, y: 7 },
  ]);
});

test('what is no FEN draws nothing that is no piece', () => {
  expect(pieces('<script>')).toEqual([{ sign: 'r', x: 0, y: 0 }, { sign: 'p', x: 1, y: 0 }]);
});
