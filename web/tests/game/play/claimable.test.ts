import { expect, test } from 'vitest';
import { Replay } from '../../../src/board/replay';
import { Claimable } from '../../../src/game/play/claimable';
import type { GameSnapshot } from '../../../src/net/protocol';

const TO_AND_FRO = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** A game after `moves`, with so many half-moves since the last capture or pawn move. */
const game = (moves: string[], quiet = moves.length) => ({ moves, position: `${START} w KQkq - ${quiet} 1` }) as unknown as GameSnapshot;

const asked = (moves: string[], legal: string[], quiet?: number) => {
  const claimable = new Claimable(new Replay(null));
  const of = game(moves, quiet);
  return { now: claimable.in(of), with: claimable.with(of, legal) };
};

test('the position that came three times can be claimed, at once', () => {
  expect(asked([...TO_AND_FRO, ...TO_AND_FRO], []).now).toBe(true);
  expect(asked([...TO_AND_FRO, ...TO_AND_FRO.slice(0, 3)], []).now).toBe(false);
});

test('and before, with the move that makes it come the third time', () => {
  const moves = [...TO_AND_FRO, ...TO_AND_FRO.slice(0, 3)];
  expect(asked(moves, ['f6g8', 'f6e4', 'e7e5'])).toEqual({ now: false, with: ['f6g8'] });
  expect(asked(TO_AND_FRO.slice(0, 3), ['f6g8']).with).toEqual([]);
});

test('a capture or a move of a pawn ends what came before', () => {
  // The last of these half-moves is declared to be one.
  expect(asked([...TO_AND_FRO, ...TO_AND_FRO], [], 0).now).toBe(false);
  expect(asked([...TO_AND_FRO, ...TO_AND_FRO.slice(0, 3)], ['f6g8'], 3).with).toEqual([]);
});

test('after fifty moves each, or with a move that is the fiftieth and no capture or pawn move', () => {
  expect(asked([], [], 100).now).toBe(true);
  expect(asked([], ['g1f3', 'e2e4', 'd1d7', 'e1h1'], 99)).toEqual({ now: false, with: ['g1f3', 'e1h1'] });
  expect(asked([], ['g1f3'], 98).with).toEqual([]);
});

test('what was found is kept until moves or chances are others', () => {
  const claimable = new Claimable(new Replay(null));
  const of = game([...TO_AND_FRO, ...TO_AND_FRO.slice(0, 3)]);
  const legal = ['f6g8'];
  expect(claimable.with(of, legal)).toBe(claimable.with(of, legal));
  const after = game([...of.moves, 'f6g8']);
  expect(claimable.with(after, legal)).toEqual([]);
  expect(claimable.in(after)).toBe(true);
});
