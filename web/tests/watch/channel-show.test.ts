import { beforeEach, describe, expect, it } from 'vitest';
import { ChannelShow, type ShownState } from '../../src/watch/channel-show';
import { END_SEEN_MS, STAY_MS } from '../../src/watch/channels';
import type { Mini } from '../../src/watch/mini';

describe('what a channel shows', () => {
  const channels: { games: Record<string, string> | null } = { games: null };
  const statuses = new Map<string, string>();
  let finished: string[] | null;
  let seen: string[];
  let searches: number;
  let state: ShownState;
  let put: string[];
  let show: ChannelShow;

  beforeEach(() => {
    channels.games = null;
    statuses.clear();
    finished = null;
    seen = [];
    searches = 0;
    state = { status: null, plies: 30, live: true, done: false };
    put = [];
    const reruns = { list: () => finished, search: () => (searches += 1), see: (g: string) => void seen.push(g), spread: () => undefined };
    const minis = { get: (g: string) => (statuses.has(g) ? ({ status: statuses.get(g) } as Mini) : null), missing: (g: string) => g === 'gone' };
    show = new ChannelShow('best', channels, minis, reruns, () => state, ({ g, rerun }) => {
      put.push(rerun ? `${g} again` : g);
      state = { status: null, plies: 30, live: true, done: false };
    });
  });

  it('waits for the channels, then is the channel’s game, and after its end the next', () => {
    expect(show.turn(0)).toBe(false);
    channels.games = { best: 'a' };
    expect(show.turn(0)).toBe(true);
    state.status = 'live';
    expect(show.turn(500)).toBe(false);
    state.status = 'over';
    expect(show.turn(1_000)).toBe(true);
    expect([show.told(), seen]).toEqual([null, ['a']]);
    channels.games = { best: 'b' };
    show.turn(1_000 + END_SEEN_MS - 1);
    expect(put).toEqual(['a']);
    show.turn(1_000 + END_SEEN_MS);
    expect(put).toEqual(['a', 'b']);
  });

  it('shows the end of a game that was over before, once, then replays', () => {
    channels.games = { best: 'a' };
    statuses.set('a', 'over');
    show.turn(0);
    state.status = 'over';
    show.turn(500);
    expect(show.shown?.wentOn).toBe(false);
    finished = ['x', 'y'];
    show.turn(500 + END_SEEN_MS);
    expect(put).toEqual(['a', 'x again']);
    state = { status: 'over', plies: 30, live: true, done: true };
    show.turn(10_000);
    show.turn(10_000 + END_SEEN_MS);
    expect([put.at(-1), seen]).toEqual(['x again', ['x', 'x']]);
  });

  it('leaves a short game that was over before at once, if there is another', () => {
    channels.games = { best: 'a' };
    show.turn(0);
    state = { ...state, status: 'over', plies: 3 };
    show.turn(500);
    expect([put, searches]).toEqual([['a'], 1]);
    finished = ['x'];
    show.turn(501);
    expect(put).toEqual(['a', 'x again']);
  });

  it('shows the end of a short game that it has shown', () => {
    channels.games = { best: 'a' };
    finished = ['x'];
    show.turn(0);
    state = { ...state, status: 'live', plies: 2 };
    show.turn(500);
    state = { ...state, status: 'over', plies: 3 };
    show.turn(1_000);
    show.turn(1_000 + END_SEEN_MS - 1);
    expect(put).toEqual(['a']);
    show.turn(1_000 + END_SEEN_MS);
    expect(put).toEqual(['a', 'x again']);
  });

  it('is a board of a simul while no other top game is on', () => {
    channels.games = { best: 'a', simul: 's' };
    show.turn(0);
    state.status = 'over';
    show.turn(500);
    show.turn(500 + END_SEEN_MS);
    expect(put).toEqual(['a', 's']);
    state.status = 'live';
    channels.games = { best: 'b', simul: 's' };
    show.turn(500 + END_SEEN_MS + STAY_MS);
    expect(put).toEqual(['a', 's', 'b']);
  });

  it('gives up a game that never comes, and does not ask for one that is missing', () => {
    channels.games = { best: 'gone' };
    show.turn(0);
    expect([put, searches]).toEqual([[], 1]);
    channels.games = { best: 'slow' };
    show.turn(500);
    finished = ['x'];
    show.turn(10_600);
    show.turn(10_600 + END_SEEN_MS);
    expect(put).toEqual(['slow', 'x again']);
  });

  it('leaves a person alone who looks back, and says that another game is on', () => {
    channels.games = { best: 'a' };
    show.turn(0);
    state = { status: 'live', plies: 30, live: false, done: false };
    channels.games = { best: 'b' };
    show.turn(500);
    expect([put, show.goneOn]).toEqual([['a'], true]);
    show.follow(600);
    expect([put, show.shown?.g]).toEqual([['a', 'b'], 'b']);
  });
});
