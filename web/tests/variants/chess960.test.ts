import { expect, test } from 'vitest';
import { StartField } from '../../src/lobby/form/start-field';
import { readPosition } from '../../src/notation/check-fen';
import { destinations } from '../../src/notation/uci';
import { numberOf, rankOf, startOf, STARTS, variantAt } from '../../src/variants/chess960';

const ALL = Array.from({ length: STARTS }, (_, number) => number);

test.each([
  [0, 'BBQNNRKR'],
  [518, 'RNBQKBNR'],
  [534, 'RNBKQBNR'],
  [959, 'RKRNNQBB'],
])('position %i begins with %s', (number, rank) => {
  expect(rankOf(number)).toBe(rank);
});

test('all positions are different, have bishops of both colours and the king between the rooks', () => {
  const ranks = ALL.map(rankOf);
  expect(new Set(ranks).size).toBe(STARTS);
  for (const rank of ranks) {
    expect([...rank].sort().join('')).toBe('BBKNNQRR');
    expect((rank.indexOf('B') + rank.lastIndexOf('B')) % 2).toBe(1);
    expect(rank).toMatch(/R.*K.*R/);
  }
});

test('a position is found by its board, and no other board is one', () => {
  for (const number of ALL) expect(numberOf(startOf(number))).toBe(number);
  expect(numberOf(startOf(0).replace('KQkq', '-'))).toBeNull();
  expect(numberOf('8/8/8/8/8/8/8/8 w - - 0 1')).toBeNull();
});

test('the form takes every one of them as a position too', () => {
  for (const number of ALL) expect(readPosition(startOf(number), true)).toEqual({ fen: startOf(number), turn: 'w' });
});

test('a variant is told with its number where it has one', () => {
  expect(variantAt('chess960', 7)).toBe('Chess960, position 7');
  expect(variantAt('chess960', null)).toBe('Chess960');
});

test('a position is only for Chess960, and drawn until a number is asked for', () => {
  const field = new StartField(() => undefined);
  expect([field.chosen('chess960'), field.chosen('standard')]).toEqual([null, null]);
  expect(field.fault('chess960')).toBeNull();
});

/**
 * Both castling moves on every start position, after all of White's pieces but king and rooks have left: onto the rook
 * always, and onto the king's target square unless the king is there or can simply step there.
 */
test.each(['short', 'long'] as const)('the king castles %s by both gestures from each of the 960 positions', (way) => {
  const target = way === 'short' ? 'g1' : 'c1';
  for (const number of ALL) {
    const rank = rankOf(number);
    const king = `${'abcdefgh'.charAt(rank.indexOf('K'))}1`;
    const rook = `${'abcdefgh'.charAt(way === 'short' ? rank.lastIndexOf('R') : rank.indexOf('R'))}1`;
    const other = way === 'short' ? rank.indexOf('R') : rank.lastIndexOf('R');
    const bare = rank.replace(/[^KR]/g, '1');
    const steps = [-1, 1]
      .map((step) => `${String.fromCharCode(king.charCodeAt(0) + step)}1`)
      .filter((square) => bare['abcdefgh'.indexOf(square[0]!)] === '1');
    const position = `4k3/8/8/8/8/8/8/${bare} w KQ - 0 1`;
    const legal = [king + rook, ...steps.map((square) => king + square)];
    const targets = destinations(legal, { variant: 'chess960', position }).get(king)!;
    expect(targets.get(rook), `${rank} onto the rook`).toEqual([king + rook]);
    if (target === king) expect(targets.has(target)).toBe(false);
    else if (steps.includes(target)) expect(targets.get(target), `${rank} steps`).toEqual([king + target]);
    // If the other rook is there, castling is not legal; the board of this test does not know.
    else if (rank[target.charCodeAt(0) - 97] !== 'R' || 'abcdefgh'.indexOf(target[0]!) !== other) {
      expect(targets.get(target), `${rank} onto ${target}`).toEqual([king + rook]);
    }
  }
});
