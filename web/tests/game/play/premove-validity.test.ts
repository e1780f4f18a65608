import { describe, expect, it } from 'vitest';
import { keepsPremove, sameMoves } from '../../../src/game/play/premove-validity';
import type { Color } from '../../../src/net/protocol';

const at = (...moves: string[]) => ({ moves, turn: (moves.length % 2 === 0 ? 'w' : 'b') as Color });

it('knows moves that are told again', () => {
  expect(sameMoves(['e2e4', 'e7e5'], ['e2e4', 'e7e5'])).toBe(true);
  expect(sameMoves(['e2e4', 'e7e5'], ['e2e4', 'c7c5'])).toBe(false);
  expect(sameMoves(['e2e4', 'e7e5'], ['e2e4'])).toBe(false);
});

describe('a move made ahead', () => {
  // The person plays White.
  it.each([
    ['waits for the answer', at('e2e4'), at('e2e4'), null],
    ['is played after it', at('e2e4'), at('e2e4', 'e7e5'), null],
    ['waits while one’s own move is under way', at(), at(), 'e2e4'],
    ['waits when that stands', at(), at('e2e4'), 'e2e4'],
    ['is played when that was answered', at(), at('e2e4', 'e7e5'), 'e2e4'],
    ['waits for the legal moves', at('e2e4', 'e7e5'), at('e2e4', 'e7e5'), null],
  ] as const)('%s', (_what, was, now, sent) => {
    expect(keepsPremove(was, now, ['w'], sent)).toBe(true);
  });

  it.each([
    ['is dropped with a takeback', at('e2e4'), at(), null],
    ['is dropped with a takeback and another answer', at('e2e4', 'e7e5', 'g1f3'), at('e2e4', 'c7c5'), null],
    ['is dropped where two half-moves came at once', at('e2e4'), at('e2e4', 'e7e5', 'g1f3'), null],
    ['is dropped where the game went three on', at('e2e4'), at('e2e4', 'e7e5', 'g1f3', 'b8c6'), null],
    ['is dropped when another move of one’s own stands', at(), at('d2d4', 'd7d5'), 'e2e4'],
    ['is dropped when one moved by another page', at('e2e4', 'e7e5'), at('e2e4', 'e7e5', 'g1f3'), null],
  ] as const)('%s', (_what, was, now, sent) => {
    expect(keepsPremove(was, now, ['w'], sent)).toBe(false);
  });
});
