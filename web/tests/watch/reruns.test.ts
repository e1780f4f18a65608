import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { kindOf } from '../../src/board/kinds';
import type { GameSnapshot, ListedGame } from '../../src/net/protocol';
import { ReplayedGame } from '../../src/watch/replayed-game';
import { Reruns } from '../../src/watch/reruns';

const answers = new Map<string, unknown>();
const asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  answers.clear();
  asked.length = 0;
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    const body = answers.get(address);
    return Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status: body === undefined ? 404 : 200 }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the finished games of a channel', () => {
  const ALL = '/api/v1/games?limit=50';
  const listed = (g: string, change: Partial<ListedGame> = {}) => ({ g, status: 'over', result: '1-0', plies: 30, speed: 'blitz', ...change });

  it('are those that are worth a look, the newest first, the seen ones last', async () => {
    answers.set(ALL, {
      games: [
        listed('new'),
        listed('short', { plies: 4 }),
        listed('aborted', { result: '*' }),
        listed('live', { status: 'live' }),
        listed('days', { speed: 'correspondence' }),
        listed('old'),
      ],
    });
    const reruns = new Reruns('best', () => undefined);
    expect([reruns.list(), reruns.isKnown()]).toEqual([null, false]);
    reruns.search(0);
    await settled();
    expect(reruns.list()).toEqual(['new', 'old']);
    reruns.see('new');
    expect(reruns.list()).toEqual(['old', 'new']);
  });

  it('are asked for seldom, and by the speed, variant or family of the channel', async () => {
    answers.set(ALL, { games: [] });
    const reruns = new Reruns('best', () => undefined);
    for (const instant of [0, 1, 29_999, 30_001]) {
      reruns.search(instant);
      await settled();
    }
    expect(asked).toEqual([ALL, ALL]);
    new Reruns('blitz', () => undefined).search(0);
    new Reruns('russian', () => undefined).search(0);
    new Reruns('draughts', () => undefined).search(0);
    const kinds = ['speed=blitz', 'variant=russian', 'game=draughts'];
    expect(asked.slice(2)).toEqual(kinds.map((kind) => `/api/v1/games?${kind}&limit=50`));
  });
});

describe('a game that replays itself', () => {
  const GAME = {
    t: 'game', g: 'x', seq: 5, game: 'chess', variant: 'standard', rated: false, rules: 'online', speed: 'blitz',
    tc: { base_s: 180, inc_s: 0 }, fen: null, moves: ['e2e4', 'e7e5', 'e1e2'], notation: ['e4', 'e5', 'Ke2'],
    times: [170_000, 120_000, 60_000], turn: 'b', status: 'over', result: '0-1', reason: 'resignation', clock: null,
    position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2', players: { w: { user: null }, b: { user: null } },
  } as unknown as GameSnapshot;

  it('goes on a move a second, and tells the result at its end', async () => {
    answers.set('/api/v1/games/x', GAME);
    const replayed = new ReplayedGame('x', true, () => undefined);
    expect(replayed.now()).toBeNull();
    await settled();
    const seen = () => {
      const { ply, last, turn, status, result, clock } = replayed.now()!;
      return [ply, last, turn, status, result, clock?.w, clock?.b];
    };
    expect(seen()).toEqual([0, null, 'w', 'live', '*', 180_000, 180_000]);
    expect(replayed.now()!.position).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen()).toEqual([1, 'e2e4', 'b', 'live', '*', 170_000, 180_000]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen()).toEqual([2, 'e7e5', 'w', 'live', '*', 170_000, 120_000]);
    // Nobody's clock runs.
    expect(replayed.now()!.clock?.run).toBeNull();
    expect(replayed.done()).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(replayed.done()).toBe(true);
    expect(replayed.now()).toMatchObject({ ply: 3, status: 'over', result: '0-1', position: GAME.position });
    replayed.close();
  });

  it('is over at once where there is no such game', async () => {
    const replayed = new ReplayedGame('none', true, () => undefined);
    await settled();
    expect([replayed.now(), replayed.done()]).toEqual([null, true]);
    replayed.close();
  });

  it('stands still at its end where nothing may move, and starts when it is told to', async () => {
    answers.set('/api/v1/games/x', GAME);
    const replayed = new ReplayedGame('x', false, () => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(replayed.now()).toMatchObject({ ply: 3, status: 'over', result: '0-1' });
    expect(replayed.done()).toBe(false);
    replayed.setMoves(true);
    expect(replayed.now()).toMatchObject({ ply: 0, status: 'live' });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(replayed.done()).toBe(true);
    replayed.close();
  });

  it('can be paused, before it has begun, on its way, and at its end', async () => {
    answers.set('/api/v1/games/x', GAME);
    const replayed = new ReplayedGame('x', true, () => undefined);
    await settled();
    replayed.setMoves(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(replayed.now()).toMatchObject({ ply: 3, status: 'over' });
    replayed.setMoves(true);
    await vi.advanceTimersByTimeAsync(2_000);
    replayed.setMoves(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(replayed.now()).toMatchObject({ ply: 2, status: 'live' });
    replayed.setMoves(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([replayed.now()?.ply, replayed.done()]).toEqual([3, true]);
    replayed.setMoves(false);
    expect([replayed.now()?.ply, replayed.done()]).toEqual([3, false]);
    replayed.close();
  });

  it('does nothing more once it is closed, even while its board is loaded', async () => {
    answers.set('/api/v1/games/d', { ...GAME, game: 'draughts', variant: 'international', moves: ['32-28'], notation: ['32-28'] });
    let drawn = 0;
    const replayed = new ReplayedGame('d', true, () => (drawn += 1));
    await settled();
    const before = drawn;
    replayed.close();
    await kindOf({ game: 'draughts', variant: 'international' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([drawn, vi.getTimerCount()]).toEqual([before, 0]);
  });
});
