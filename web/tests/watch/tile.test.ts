import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StillBoard } from '../../src/board/still-board';
import { isOwn, miniOfGame, sideShown, type Mini } from '../../src/watch/mini';
import { tile } from '../../src/watch/tile';
import { SNAPSHOT } from '../state/snapshot';

beforeEach(() => void vi.stubGlobal('document', { createTreeWalker: () => ({}), createComment: () => ({}) }));
afterEach(() => void vi.unstubAllGlobals());

it.each([
  [undefined, 'w'],
  ['w', 'w'],
  ['b', 'b'],
] as const)('a board of a simul is seen from the host’s side: %s', (simul_host, bottom) => {
  const mini: Mini = miniOfGame({ ...SNAPSHOT, ...(simul_host ? { simul: 's1', simul_host } : {}) });
  expect(sideShown(mini)).toBe(bottom);
  const show = vi.fn<(...shown: unknown[]) => void>();
  tile({ mini, board: { show, element: {} } as unknown as StillBoard, now: 0, tenths: false });
  expect(show.mock.calls[0]![3]).toBe(bottom);
});

it('a game is the person’s own if they play it', () => {
  const mini = miniOfGame(SNAPSHOT);
  expect(['anna', 'ben', 'carl', undefined].map((me) => isOwn(mini, me))).toEqual([true, true, false, false]);
});
