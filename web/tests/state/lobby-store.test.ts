import { describe, expect, it } from 'vitest';
import type { LobbyMessage, User } from '../../src/net/protocol';
import { LobbyStore } from '../../src/state/lobby-store';

const person = (id: string): User => ({ id, name: `Guest ${id}`, kind: 'guest', title: null });

const asMessage = (message: object): LobbyMessage => message as LobbyMessage;

describe('LobbyStore', () => {
  const seek = (id: string) => ({
    seek: id,
    user: person(id),
    game: 'chess',
    variant: 'standard',
    tc: null,
    rated: false,
    color: 'random',
  });
  const full = asMessage({ t: 'lobby', seq: 4, seeks: [seek('a')], games: 1, online: 2, top: [] });

  it('adds and drops seeks in order', () => {
    const store = new LobbyStore();
    expect(store.take(asMessage({ t: 'lobby.gone', seq: 5, seek: 'a' }))).toBe('gap');
    store.take(full);
    expect(store.take(asMessage({ t: 'lobby.add', seq: 5, ...seek('b') }))).toBe('done');
    expect(store.seeks.map((s) => s.seek)).toEqual(['a', 'b']);
    expect(store.take(asMessage({ t: 'lobby.gone', seq: 6, seek: 'a' }))).toBe('done');
    expect(store.take(asMessage({ t: 'lobby.gone', seq: 6, seek: 'b' }))).toBe('stale');
    expect(store.take(asMessage({ t: 'lobby.gone', seq: 8, seek: 'b' }))).toBe('gap');
    expect(store.seeks.map((s) => s.seek)).toEqual(['b']);
    expect(store.seq()).toBe(6);
  });

  it('takes in the number of an event that is not about seeks', () => {
    const store = new LobbyStore();
    store.take(full);
    expect(store.take(asMessage({ t: 'lobby.game_gone', seq: 5, g: 'abc' }))).toBe('done');
    expect(store.seeks.map((s) => s.seek)).toEqual(['a']);
    expect(store.seq()).toBe(5);
  });

  it('keeps the best games being played, the best first, as they come, go on and go', () => {
    const card = (g: string, rating: number | null, plies = 2) => ({
      g,
      plies,
      players: { w: { user: person('w'), rating }, b: { user: person('b'), rating: null } },
    });
    const shown = () => store.top.map(({ g, plies }) => [g, plies]);
    const store = new LobbyStore();
    store.take(asMessage({ t: 'lobby', seq: 1, seeks: [], games: 2, online: 2, top: [card('a', 1800), card('b', 1500)] }));
    store.take(asMessage({ t: 'lobby.game', seq: 2, card: card('c', 1500) }));
    store.take(asMessage({ t: 'lobby.game', seq: 3, card: card('d', null) }));
    store.take(asMessage({ t: 'lobby.game', seq: 4, card: card('b', 1500, 3) }));
    expect(shown()).toEqual([['a', 2], ['c', 2], ['b', 3], ['d', 2]]);
    store.take(asMessage({ t: 'lobby.game_gone', seq: 5, g: 'a' }));
    store.take(asMessage({ t: 'lobby.game_gone', seq: 6, g: 'never' }));
    expect(shown()).toEqual([['c', 2], ['b', 3], ['d', 2]]);
  });

  it('counts without numbers', () => {
    const store = new LobbyStore();
    store.take(full);
    store.take(asMessage({ t: 'lobby.count', games: 9, online: 10 }));
    expect(store).toMatchObject({ games: 9, online: 10 });
    expect(store.seq()).toBe(4);
  });

  it('knows who waits in casual pools, the longest waiting first', () => {
    const card = (id: string, since: number, pool = '3+2') => ({ user: person(id), rating: null, provisional: null, pool, game: 'chess', variant: 'standard', since });
    const shown = () => store.waiters.map(({ user, pool }) => `${user.id} ${pool}`);
    const store = new LobbyStore();
    store.take(asMessage({ t: 'lobby', seq: 1, seeks: [], games: 0, online: 2, top: [], simuls: [], waiters: [card('b', 2)], pools: { '3+2': [1, 0, 0] } }));
    store.take(asMessage({ t: 'lobby.waiter', seq: 2, card: card('c', 3) }));
    store.take(asMessage({ t: 'lobby.waiter', seq: 3, card: card('a', 1) }));
    store.take(asMessage({ t: 'lobby.waiter', seq: 4, card: card('b', 4, '5+0') }));
    expect(shown()).toEqual(['a 3+2', 'c 3+2', 'b 5+0']);
    store.take(asMessage({ t: 'lobby.waiter_gone', seq: 5, user: 'c' }));
    store.take(asMessage({ t: 'lobby.waiter_gone', seq: 6, user: 'never' }));
    expect(shown()).toEqual(['a 3+2', 'b 5+0']);
    expect(store.seq()).toBe(6);
  });

  it('counts those who wait and play in each pool', () => {
    const store = new LobbyStore();
    store.take(asMessage({ t: 'lobby', seq: 1, seeks: [], games: 0, online: 2, top: [], simuls: [], waiters: [], pools: { '3+2': [1, 0, 0] } }));
    store.take(asMessage({ t: 'lobby.count', games: 1, online: 2 }));
    expect(store.pools).toEqual({ '3+2': [1, 0, 0] });
    store.take(asMessage({ t: 'lobby.count', games: 1, online: 2, pools: { '5+0': [0, 2, 1] } }));
    expect(store.pools).toEqual({ '5+0': [0, 2, 1] });
  });

  it('knows what the robots play, and whether they do', () => {
    const store = new LobbyStore();
    const robots = { busy: false, games: { chess: ['standard'] } };
    store.take(asMessage({ t: 'lobby', seq: 1, seeks: [], games: 0, online: 2, top: [], simuls: [], waiters: [], pools: {}, robots }));
    expect(store.robots).toEqual(robots);
    store.take(asMessage({ t: 'lobby.robots', seq: 2, robots: null }));
    expect([store.robots, store.seq()]).toEqual([null, 2]);
  });

  it('works with a server of before, which tells of nobody', () => {
    const store = new LobbyStore();
    store.take(full);
    expect([store.waiters, store.pools, store.robots]).toEqual([[], {}, null]);
  });
});
