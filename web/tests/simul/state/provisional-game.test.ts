import { describe, expect, it } from 'vitest';
import type { GameMessage } from '../../../src/net/protocol';
import { provisionalGame, turnOf } from '../../../src/simul/state/provisional-game';
import { GameStore } from '../../../src/state/game-store';
import { board, snapshot } from '../boards';

const simul = snapshot({ you: 'host' });

describe('a game that is known by its board', () => {
  const seed = provisionalGame(simul, board(2, { color: 'b', turn: 'player', position: 'here w' }));

  it('has the players, the position and whose turn it is', () => {
    expect(seed.players.b.user.id).toBe('host');
    expect(seed.players.w.user.id).toBe('p2');
    expect(seed).toMatchObject({ position: 'here w', turn: 'w', you: 'b', simul: 's1', moves: [] });
  });

  it('is shown until the snapshot is there, and nothing is added to it', () => {
    const store = new GameStore();
    store.guess(seed);
    expect(store.seq()).toBeUndefined();
    expect(store.moves()).toBeNull();
    expect(store.take({ t: 'clock', g: 'g2', seq: 1, clock: null, why: 'moretime' } as unknown as GameMessage)).toBe('gap');
    store.take({ ...seed, seq: 9, moves: ['e2e4'], legal: ['e7e5'] } as unknown as GameMessage);
    expect(store.seq()).toBe(9);
    expect(store.moves()).toEqual(['e7e5']);
  });
});

it('whose turn it was on a board that is over is in its position', () => {
  const over = { status: 'over', turn: 'host', color: 'w' } as const;
  expect(turnOf(board(1, { ...over, position: '8/8 b - - 0 1' }))).toBe('b');
  expect(turnOf(board(1, { ...over, position: '8/8 w - - 0 1' }))).toBe('w');
  expect(turnOf(board(1, { ...over, position: 'B:W31-50:B1-20' }))).toBe('b');
  expect(turnOf(board(1, { ...over, position: 'here' }))).toBe('w');
});
