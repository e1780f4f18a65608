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
});
