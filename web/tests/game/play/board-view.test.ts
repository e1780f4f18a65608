import { expect, it } from 'vitest';
import { CHESS_KIND } from '../../../src/board/chess/kind';
import { Replay } from '../../../src/board/replay';
import { boardView } from '../../../src/game/play/board-view';
import { PendingMove } from '../../../src/game/play/pending-move';
import { SNAPSHOT } from '../../state/snapshot';

const game = { ...SNAPSHOT, moves: ['e2e4', 'e7e5'], notation: ['e4', 'e5'], position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' };

const view = (change: { shown?: number; hint?: string | null; kind?: typeof CHESS_KIND; pending?: PendingMove; premove?: boolean; soon?: boolean }) =>
  boardView({
    game, own: ['w'], bottom: 'w', shown: 2, kind: CHESS_KIND, replay: new Replay(null), pending: new PendingMove(() => undefined),
    destinations: null, leaps: null, premove: true, soon: false, hint: null, ...change,
  });

it('shows the suggested move in the newest position only', () => {
  expect(view({ hint: 'g1f3' }).hint).toEqual(['g1', 'f3']);
  expect(view({ hint: 'g1f3', shown: 1 }).hint).toBeUndefined();
  expect(view({}).hint).toBeUndefined();
});

it('shows the path of a suggested capture', () => {
  const kind = { ...CHESS_KIND, pathOf: () => ({ from: '32', path: ['21', '12'], taken: ['27', '17'] }) };
  expect(view({ hint: '32x12', kind }).hint).toEqual(['32', '21', '12']);
});

it('shows no suggested move while the own one is on its way', () => {
  const pending = new PendingMove(() => undefined);
  pending.drop(['d2d4'], { queen: false, confirm: true });
  expect(view({ hint: 'g1f3', pending }).hint).toBeUndefined();
});

it('keeps a move that comes before the person may move, even without premoves', () => {
  expect(view({ premove: false, soon: true })).toMatchObject({ premoveColor: 'w', soon: true });
  expect(view({ premove: false })).toMatchObject({ premoveColor: null, soon: false });
  expect(view({ premove: false, soon: true, shown: 1 }).premoveColor).toBeNull();
});
