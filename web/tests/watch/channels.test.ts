import { describe, expect, it } from 'vitest';
import { channelName, ChannelStore, END_SEEN_MS, nextTurn, rerunOrder, STAY_MS, type NowShown } from '../../src/watch/channels';

describe('the channels', () => {
  it('are what is told of them', () => {
    const store = new ChannelStore();
    expect(store.take({ t: 'tv.game', seq: 3, channel: 'best', g: 'x' })).toBe('gap');
    expect(store.take({ t: 'tv', seq: 7, channels: { best: 'a', zoo: 'z' } })).toBe('done');
    expect(store.take({ t: 'tv.game', seq: 7, channel: 'best', g: 'old' })).toBe('stale');
    expect(store.take({ t: 'tv.game', seq: 8, channel: 'blitz', g: 'b' })).toBe('done');
    expect(store.games).toEqual({ best: 'a', zoo: 'z', blitz: 'b' });
    expect(store.take({ t: 'tv.game', seq: 10, channel: 'best', g: 'c' })).toBe('gap');
    expect(store.take({ t: 'error', topic: 'tv', code: 'unavailable', message: '' })).toBe('done');
    expect(store.seq()).toBe(8);
    expect(store.names().at(-1)).toBe('zoo');
  });

  it('begin with the best of each family', () => {
    const store = new ChannelStore();
    expect(store.first()).toEqual(['best', 'chess', 'draughts', 'chinese-checkers', 'simul']);
    expect(store.first().map(channelName)).toEqual(['Top rated', 'Best chess', 'Best draughts', 'Best Chinese checkers', 'Simul']);
    store.take({ t: 'tv', seq: 1, channels: { zoo: 'z' } });
    expect(store.first().at(-1)).toBe('zoo');
  });

  it('of a family follow when one of them is chosen', () => {
    const store = new ChannelStore();
    expect([store.within('best'), store.within('simul')]).toEqual([[], []]);
    const chess = ['bullet', 'blitz', 'rapid', 'classical', 'chess960', 'antichess'];
    expect(['chess', 'blitz', 'chess960'].map((chosen) => store.within(chosen))).toEqual([chess, chess, chess]);
    expect(store.within('draughts').slice(0, 2)).toEqual(['international', 'classic']);
    expect(store.within('fifteen')).toEqual(['fifteen', 'ten']);
  });

  it('of variants stand back while they have nothing to show', () => {
    const store = new ChannelStore();
    store.take({ t: 'tv', seq: 1, channels: { blitz: 'z' } });
    expect(store.quiet('chess')).toEqual(['chess960', 'antichess']);
    expect(store.quiet('chess960')).toEqual(['antichess']);
    store.take({ t: 'tv.game', seq: 2, channel: 'chess960', g: 'c' });
    expect(store.quiet('chess')).toEqual(['antichess']);
  });
});

describe('what comes next', () => {
  const on = (fields: Partial<NowShown> = {}): NowShown => ({ g: 'a', since: 0, over: null, rerun: false, live: true, done: false, ...fields });
  const seen = END_SEEN_MS + 1;

  it.each([
    ['the channel’s game', null, 'a', null, { to: 'a', rerun: false }],
    ['nothing yet, where nothing is known to be played over', null, null, null, 'search'],
    ['a look whether something has been finished', null, null, [], 'search'],
    ['the first finished game', null, null, ['x', 'y'], { to: 'x', rerun: true }],
    ['the same while it goes on', on(), 'a', ['x'], 'stay'],
    ['a better one at once', on(), 'b', ['x'], { to: 'b', rerun: false }],
    ['the next once the end has been seen', on({ over: 0 }), 'b', ['x'], { to: 'b', rerun: false }],
    ['nothing into a look back', on({ live: false }), 'b', ['x'], 'stay'],
    ['nothing into a look back at what is over', on({ live: false, over: 0 }), 'a', ['x'], 'stay'],
    ['a finished game once the end has been seen', on({ over: 0 }), 'a', ['x'], { to: 'x', rerun: true }],
    ['a finished game where the channel shows none', on({ over: 0 }), null, ['x'], { to: 'x', rerun: true }],
    ['a look for finished games', on({ over: 0 }), 'a', null, 'search'],
    ['another look for finished games', on({ over: 0 }), null, [], 'search'],
    ['no break in what is played over', on({ rerun: true, live: false }), null, ['a', 'y'], 'stay'],
    ['the one whose turn it is', on({ rerun: true, done: true, over: 0 }), null, ['y', 'a'], { to: 'y', rerun: true }],
    ['the same again where there is no other', on({ rerun: true, done: true, over: 0 }), null, ['a'], { to: 'a', rerun: true }],
    ['what is on, at once', on({ rerun: true, live: false }), 'b', ['a'], { to: 'b', rerun: false }],
  ] as const)('is %s', (_what, now, told, reruns, turn) => {
    expect(nextTurn(now, told, reruns, seen)).toEqual(turn);
  });

  it('lets a game that goes on be seen', () => {
    expect(nextTurn(on({ since: 500 }), 'b', [], 500 + STAY_MS - 1)).toBe('stay');
    expect(nextTurn(on({ since: 500 }), 'b', [], 500 + STAY_MS)).toEqual({ to: 'b', rerun: false });
  });

  it('lets the end be seen', () => {
    expect(nextTurn(on({ over: 0 }), 'b', [], END_SEEN_MS - 1)).toBe('stay');
    expect(nextTurn(on({ over: 0 }), 'a', ['x'], END_SEEN_MS - 1)).toBe('stay');
    expect(nextTurn(on({ rerun: true, done: true, over: 0 }), null, ['a', 'x'], END_SEEN_MS - 1)).toBe('stay');
  });
});

describe('the turn of finished games', () => {
  it('goes through all of them, the newest first, and comes to new ones at once', () => {
    const seen = new Set<string>();
    let finished = ['c', 'b', 'a'];
    const shown = () => {
      const [g] = rerunOrder(finished, seen);
      seen.delete(g!);
      seen.add(g!);
      return g;
    };
    expect([shown(), shown(), shown(), shown(), shown()]).toEqual(['c', 'b', 'a', 'c', 'b']);
    finished = ['e', 'd', 'c', 'b'];
    expect([shown(), shown(), shown(), shown(), shown()]).toEqual(['e', 'd', 'c', 'b', 'e']);
  });

  it('has what was seen as it went on after the others', () => {
    expect(rerunOrder(['b', 'a'], new Set(['b', 'gone']))).toEqual(['a', 'b']);
    expect(rerunOrder([], new Set(['b']))).toEqual([]);
  });
});
