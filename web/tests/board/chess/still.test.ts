import { expect, it } from 'vitest';
import { difference, standing } from '../../../src/board/chess/still';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** Squares by their names. */
const at = (square: string) => square.charCodeAt(0) - 97 + 8 * (8 - Number(square[1]));

it('a move touches one piece', () => {
  const after = standing('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  expect(difference(standing(START), after)).toEqual({ moved: [{ from: at('e2'), to: at('e4'), sign: 'P' }], gone: [], come: [] });
});

it('what is taken goes, and what takes it moves', () => {
  const was = standing('4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1');
  expect(difference(was, standing('4k3/8/8/3P4/8/8/8/4K3 b - - 0 1'))).toEqual({
    moved: [{ from: at('e4'), to: at('d5'), sign: 'P' }],
    gone: [at('d5')],
    come: [],
  });
});

it('a pawn becomes what it is promoted to', () => {
  const was = standing('8/4P2k/8/8/8/8/8/4K3 w - - 0 1');
  const { moved, gone, come } = difference(was, standing('4Q3/7k/8/8/8/8/8/4K3 b - - 0 1'));
  expect(moved).toEqual([{ from: at('e7'), to: at('e8'), sign: 'Q' }]);
  expect([gone, come]).toEqual([[], []]);
});

it('castling moves king and rook', () => {
  const { moved } = difference(standing('4k3/8/8/8/8/8/8/4K2R w K - 0 1'), standing('4k3/8/8/8/8/8/8/5RK1 b - - 1 1'));
  expect(moved.map(({ sign }) => sign).sort()).toEqual(['K', 'R']);
});

it('any position follows from any other', () => {
  const positions = [START, '8/8/8/8/8/8/8/8 w - - 0 1', '4k3/8/8/8/8/8/P7/4K2R w K - 0 1', 'QQQQQQQQ/8/8/8/8/8/8/k1K5 w - - 0 1'];
  for (const one of positions.map(standing)) {
    for (const other of positions.map(standing)) {
      const { moved, gone, come } = difference(one, other);
      const made = new Map(one);
      for (const { from } of moved) made.delete(from);
      for (const square of gone) made.delete(square);
      for (const { to, sign } of moved) made.set(to, sign);
      for (const { at: square, sign } of come) made.set(square, sign);
      expect(new Map([...made].sort())).toEqual(new Map([...other].sort()));
    }
  }
});
