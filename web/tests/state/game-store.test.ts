import { beforeEach, describe, expect, it } from 'vitest';
import type { GameMessage, GameSnapshot, User } from '../../src/net/protocol';
import { GameStore } from '../../src/state/game-store';
import { seat, SNAPSHOT } from './snapshot';

const person = (id: string): User => ({ id, name: `Guest ${id}`, kind: 'guest', title: null });

const START: GameSnapshot = {
  ...SNAPSHOT,
  legal: ['e2e4', 'f2f3'],
  clock: { w: 300_000, b: 300_000, run: null, at: 1_000 },
};

const asMessage = (message: object): GameMessage => message as GameMessage;

const move = (seq: number, ply: number, text: string, more: object = {}): GameMessage =>
  asMessage({
    t: 'move',
    g: 'abc',
    seq,
    ply,
    by: ply % 2 === 0 ? 'w' : 'b',
    move: text,
    san: text.toUpperCase(),
    position: `after ${text}`,
    clock: { w: 290_000, b: 280_000, run: ply % 2 === 0 ? 'b' : 'w', at: 2_000 + ply },
    ...more,
  });

describe('GameStore', () => {
  let store: GameStore;

  beforeEach(() => {
    store = new GameStore();
    store.take(asMessage(START));
  });

  it('asks for the snapshot before it has anything', () => {
    expect(new GameStore().seq()).toBeUndefined();
    expect(new GameStore().take(move(1, 0, 'e2e4'))).toBe('gap');
  });

  it('plays per move', () => {
    expect(store.take(move(1, 0, 'e2e4'))).toBe('done');
    expect(store.game).toMatchObject({
      seq: 1,
      moves: ['e2e4'],
      notation: ['E2E4'],
      times: [290_000],
      position: 'after e2e4',
      turn: 'b',
      status: 'created',
    });
  });

  it('is live when both have moved', () => {
    store.take(move(1, 0, 'e2e4'));
    store.take(move(2, 1, 'e7e5'));
    expect(store.game?.status).toBe('live');
  });

  it('notices a repeated and a missing event', () => {
    store.take(move(1, 0, 'e2e4'));
    expect(store.take(move(1, 0, 'e2e4'))).toBe('stale');
    expect(store.take(move(3, 2, 'd2d4'))).toBe('gap');
    expect(store.game?.moves).toEqual(['e2e4']);
  });

  it('knows the legal moves only of the position on the board', () => {
    expect(store.moves()).toEqual(['e2e4', 'f2f3']);
    store.take(move(1, 0, 'e2e4'));
    expect(store.moves()).toBeNull();
    store.take(asMessage({ t: 'legal', g: 'abc', ply: 2, legal: ['d2d4'] }));
    expect(store.moves()).toBeNull();
    store.take(move(2, 1, 'e7e5'));
    store.take(asMessage({ t: 'legal', g: 'abc', ply: 2, legal: ['d2d4'] }));
    expect(store.moves()).toEqual(['d2d4']);
  });

  it('lapses the opponent’s offers with per move, and keeps one’s own', () => {
    store.take(asMessage({ t: 'offer', g: 'abc', seq: 1, what: 'draw', do: 'offer', by: 'w' }));
    store.take(move(2, 0, 'e2e4'));
    expect(store.game?.offers.draw).toBe('w');
    store.take(move(3, 1, 'e7e5'));
    expect(store.game?.offers.draw).toBeNull();
    store.take(move(4, 2, 'd2d4', { draw: true }));
    expect(store.game?.offers.draw).toBe('w');
    store.take(asMessage({ t: 'offer', g: 'abc', seq: 5, what: 'draw', do: 'decline', by: 'b' }));
    expect(store.game?.offers.draw).toBeNull();
  });

  it('takes moves back', () => {
    store.take(move(1, 0, 'e2e4'));
    store.take(move(2, 1, 'e7e5'));
    store.take(move(3, 2, 'd2d4'));
    store.take(asMessage({ t: 'takeback', g: 'abc', seq: 4, plies: 1, position: 'before', clock: null }));
    expect(store.game).toMatchObject({ moves: ['e2e4', 'e7e5'], times: [290_000, 280_000], turn: 'w' });
    store.take(asMessage({ t: 'takeback', g: 'abc', seq: 5, plies: 2, position: 'start' }));
    expect(store.game).toMatchObject({ moves: [], turn: 'w', position: 'start' });
  });

  it('keeps how pieces went, from the first that leapt on', () => {
    const leaps = { path: ['19'], taken: ['23'] };
    store.take(move(1, 0, '32-28', { pdn: '32-28', san: undefined }));
    expect(store.game?.notation).toEqual(['32-28']);
    expect(store.game).not.toHaveProperty('leaps');
    store.take(move(2, 1, '28x19', { leaps }));
    store.take(move(3, 2, '20-24'));
    expect(store.game?.leaps).toEqual([null, leaps, null]);
    store.take(asMessage({ t: 'takeback', g: 'abc', seq: 4, plies: 2, position: 'before' }));
    expect(store.game?.leaps).toEqual([null]);
  });

  it('says how far a draw is only while a limit counts', () => {
    store.take(move(1, 0, '47-33', { draw_in: 4 }));
    expect(store.game?.draw_in).toBe(4);
    store.take(move(2, 1, '5-10'));
    expect(store.game).not.toHaveProperty('draw_in');
    store.take(asMessage({ t: 'takeback', g: 'abc', seq: 3, plies: 1, position: 'before', draw_in: 4 }));
    expect(store.game?.draw_in).toBe(4);
    store.take(asMessage({ t: 'takeback', g: 'abc', seq: 4, plies: 1, position: 'start' }));
    expect(store.game).not.toHaveProperty('draw_in');
  });

  it('ends, with the clocks stopped and every offer gone', () => {
    store.take(move(1, 0, 'e2e4'));
    store.take(asMessage({ t: 'end', g: 'abc', seq: 2, result: '1-0', reason: 'resignation' }));
    expect(store.game).toMatchObject({ status: 'over', result: '1-0', reason: 'resignation' });
    expect(store.game?.clock?.run).toBeNull();
    expect(store.moves()).toBeNull();
  });

  it('follows a rematch to its game', () => {
    store.take(asMessage({ t: 'offer', g: 'abc', seq: 1, what: 'rematch', do: 'offer', by: 'w' }));
    store.take(asMessage({ t: 'offer', g: 'abc', seq: 2, what: 'rematch', do: 'accept', by: 'b', next: 'def' }));
    expect(store.game).toMatchObject({ next: 'def', offers: { rematch: null } });
  });

  it('sets clocks by ticks, but not by one older than the last move', () => {
    store.take(move(1, 0, 'e2e4'));
    store.take(asMessage({ t: 'tick', g: 'abc', clock: { w: 1, b: 1, run: 'w', at: 1_500 } }));
    expect(store.game?.clock?.w).toBe(290_000);
    store.take(asMessage({ t: 'tick', g: 'abc', clock: { w: 290_000, b: 270_000, run: 'b', at: 9_000 } }));
    expect(store.game?.clock?.b).toBe(270_000);
  });

  it('holds the clocks until a numbered clock event', () => {
    store.take(asMessage({ t: 'hold', g: 'abc', why: 'storage' }));
    expect(store.game?.clock?.held).toBe('storage');
    const clock = { w: 5, b: 6, run: 'w', at: 3_000 };
    store.take(asMessage({ t: 'clock', g: 'abc', seq: 1, clock, why: 'resumed' }));
    expect(store.game?.clock).toEqual(clock);
  });

  it('counts the crowd and who is here', () => {
    const left = { w: null, b: 10_000 };
    store.take(asMessage({ t: 'crowd', topic: 'game:abc', watchers: 7, online: { w: true, b: false }, left }));
    expect(store.left).toEqual({ w: null, b: 10_000 });
    expect(store.game).toMatchObject({ watchers: 7, players: { w: { online: true }, b: { online: false } } });
  });

  it('learns what a player is called now, and keeps the rest of him', () => {
    const user = { ...person('ben'), name: 'Benjamin', kind: 'member' };
    expect(store.take(asMessage({ t: 'player', g: 'abc', color: 'b', user }))).toBe('done');
    expect(store.game?.players).toEqual({ w: seat('Anna'), b: { ...seat('Ben'), user } });
    expect(store.seq()).toBe(0);
  });

  it('takes messages it does not know for nothing', () => {
    const before = store.game;
    store.take(asMessage({ t: 'chat', topic: 'game:abc', text: 'hello' }));
    expect(store.game).toBe(before);
    expect(store.take(asMessage({ t: 'touched', g: 'abc', seq: 1 }))).toBe('done');
    expect(store.game).toMatchObject({ seq: 1, moves: [] });
  });

  it('knows which sides somebody holds', () => {
    expect(store.sides('anna')).toEqual(['w']);
    expect(store.sides('somebody')).toEqual([]);
    expect(store.sides(undefined)).toEqual([]);
    store.take(asMessage({ ...START, players: { w: START.players.w, b: START.players.w } }));
    expect(store.sides('anna')).toEqual(['w', 'b']);
  });
});
