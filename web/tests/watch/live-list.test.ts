import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveCards, LiveGame } from '../../src/net/protocol';
import { LiveList } from '../../src/watch/live-list';
import type { Mini } from '../../src/watch/mini';
import type { MiniGames } from '../../src/watch/mini-games';
import { SNAPSHOT } from '../state/snapshot';

const card = (g: string, more: Partial<LiveGame> = {}): LiveGame =>
  ({ ...SNAPSHOT, g, plies: 24, created: 1, ended: null, last: null, status: 'live', simul: undefined, ...more }) as unknown as LiveGame;

let answer: LiveCards;
const states = new Map<string, Mini>();
const minis = { get: (g: string) => states.get(g) ?? null, hint: (mini: Mini) => void states.set(mini.g, mini), keep: () => undefined };
let list: LiveList;

beforeEach(() => {
  vi.useFakeTimers();
  states.clear();
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(answer))));
});

afterEach(() => {
  list.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('knows what a tile stands for, and how many games there are in all', async () => {
  answer = { games: [card('a'), card('b', { simul: 's1', boards: 12 }), card('c', { simul: 's2' })], total: 14 };
  list = new LiveList({}, minis as unknown as MiniGames, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([list.shown, list.total]).toEqual([['a', 'b', 'c'], 14]);
  expect(['a', 'b', 'c'].map((g) => list.simul(g))).toEqual([null, { simul: 's1', boards: 12 }, null]);
});

it('keeps the end of a game for a while, but shows another board of a simul at once, in the same place', async () => {
  answer = { games: [card('a'), card('b', { simul: 's1', boards: 12 }), card('c')], total: 14 };
  list = new LiveList({}, minis as unknown as MiniGames, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  for (const g of ['a', 'b']) {
    states.set(g, { ...states.get(g)!, status: 'over' });
    list.noteEnd(g, performance.now());
  }
  answer = { games: [card('c'), card('d', { simul: 's1', boards: 11 })], total: 12 };
  await vi.advanceTimersByTimeAsync(4_000);
  expect(list.shown).toEqual(['a', 'd', 'c']);
});

it('counts as it did with a server that says less', async () => {
  answer = { games: [card('a')] };
  list = new LiveList({}, minis as unknown as MiniGames, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([list.shown, list.total]).toEqual([['a'], null]);
});
