import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameMessage, GameSnapshot } from '../../src/net/protocol';
import { GameStore } from '../../src/state/game-store';
import type { Mini } from '../../src/watch/mini';
import { MiniGames } from '../../src/watch/mini-games';
import { Lines } from '../net/fake-transport';

const seat = (name: string) => ({ user: { id: name, name, kind: 'guest', title: null }, rating: null, provisional: null });

const whole = (g: string, fields: object = {}) => ({
  t: 'mini', g, seq: 3, game: 'chess', variant: 'standard', speed: 'blitz', rated: false, tc: { base_s: 300 },
  players: { w: seat('Anna'), b: seat('Bert') }, position: 'start', last: null, turn: 'w', ply: 0, check: false,
  clock: null, status: 'live', result: '*', reason: null, next: null, simul: null, watchers: 2, ...fields,
});

const change = (g: string, fields: object = {}) => ({
  t: 'mini', g, seq: 4, position: 'later', last: 'e2e4', turn: 'b', ply: 1, check: false, clock: null, status: 'live',
  result: '*', reason: null, next: null, ...fields,
});

describe('mini boards', () => {
  let lines: Lines;
  let own: GameSnapshot[];
  let told: string[];
  let minis: MiniGames;

  const asked = (t: 'sub' | 'unsub') => lines.wire.sent.filter((message) => message.t === t && message.topic !== 'user').map(({ topic }) => topic);

  beforeEach(() => {
    vi.useFakeTimers();
    lines = new Lines();
    own = [];
    told = [];
    minis = new MiniGames(lines.socket, { games: () => own }, (g) => told.push(g));
    lines.wire.welcome();
  });

  afterEach(() => {
    minis.close();
    vi.useRealTimers();
  });

  it('ask for the position alone', () => {
    minis.want(['a']);
    expect(lines.wire.last('sub')).toMatchObject({ topic: 'game:a', position: true });
    expect(lines.wire.last('sub')).not.toHaveProperty('from');
  });

  it('are the whole first, and then what changes', () => {
    minis.want(['a']);
    lines.wire.say(change('a'));
    expect(minis.get('a')).toBeNull();
    lines.wire.say(whole('a'));
    lines.wire.say(change('a', { seq: 9 }));
    expect(minis.get('a')).toMatchObject({ position: 'later', ply: 1, players: { w: { user: { name: 'Anna' } } }, watchers: 2 });
    expect(told).toEqual(['a', 'a', 'a']);
  });

  it('do not have the whole page drawn', () => {
    minis.want(['a']);
    lines.socket.onchange = () => expect.unreachable();
    lines.wire.say(whole('a'));
  });

  it('are as a list has them until they are heard of, and not afterwards', () => {
    minis.hint({ ...whole('a'), position: 'listed' } as unknown as Mini);
    expect(minis.get('a')?.position).toBe('listed');
    minis.want(['a']);
    lines.wire.say(whole('a'));
    minis.hint({ ...whole('a'), position: 'older', watchers: 7 } as unknown as Mini);
    expect(minis.get('a')).toMatchObject({ position: 'start', watchers: 7 });
  });

  it('know of a game that is not there', () => {
    minis.want(['a']);
    lines.wire.refuse('sub', 'not_found');
    return vi.waitFor(() => expect(minis.missing('a')).toBe(true));
  });

  it('may have been refused for other reasons', async () => {
    minis.want(['a', 'b']);
    lines.wire.refuse('sub', 'forbidden');
    await vi.waitFor(() => expect(told).toEqual(['b']));
    expect(minis.missing('b')).toBe(false);
    minis.want(['a', 'b', 'c']);
    lines.wire.refuse('sub', 'rate_limited');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(minis.missing('c')).toBe(false);
    expect(asked('sub').filter((topic) => topic === 'game:c').length).toBeGreaterThan(1);
  });

  it('leave alone what is followed as a whole', () => {
    own = [{ ...whole('a'), moves: ['e2e4'], notation: ['e4'] } as unknown as GameSnapshot];
    minis.want(['a', 'b']);
    expect(asked('sub')).toEqual(['game:b']);
    expect(minis.get('a')).toMatchObject({ last: 'e2e4', ply: 1 });
  });

  it('are asked for again when the whole is not followed any more', () => {
    minis.want(['a']);
    const other = lines.socket.subscribe('game:a', { seq: () => undefined, take: () => 'done' }, {});
    own = [{ ...whole('a'), moves: ['e2e4'], notation: ['e4'] } as unknown as GameSnapshot];
    minis.want(['a']);
    other.close();
    own = [];
    minis.want(['a']);
    expect(asked('sub')).toEqual(['game:a', 'game:a', 'game:a']);
    lines.wire.say(whole('a', { status: 'over' }));
    expect(minis.get('a')?.status).toBe('over');
  });

  it('keep within what the server takes', async () => {
    const games = Array.from({ length: 45 }, (_, n) => `g${n}`);
    minis.want(games);
    expect(asked('sub')).toHaveLength(30);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked('sub').length).toBeGreaterThan(40);
    expect(asked('sub').length).toBeLessThanOrEqual(50);
    minis.want([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(asked('unsub'))).toEqual(new Set(asked('sub')));
  });

  it('forget what is wanted no more before it was asked for', async () => {
    minis.want(Array.from({ length: 45 }, (_, n) => `g${n}`));
    minis.want(['g0']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked('sub')).toHaveLength(30);
    expect(asked('unsub')).toHaveLength(29);
  });

  it('are asked for again on the next line', () => {
    minis.want(['a']);
    lines.wire.say(whole('a'));
    lines.wire.drop();
    lines.socket.connect();
    lines.wire.welcome();
    expect(asked('sub')).toEqual(['game:a']);
  });
});

it('a mini that was under way while the game was asked for is no event of it', () => {
  const store = new GameStore();
  store.take({ ...whole('a'), t: 'game', moves: [], notation: [], times: [], you: null } as object as GameMessage);
  expect(store.take(change('a') as GameMessage)).toBe('stale');
  expect(store.game?.seq).toBe(3);
});
