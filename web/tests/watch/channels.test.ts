import { describe, expect, it } from 'vitest';
import { channelName, ChannelStore, END_SEEN_MS, next, type OnAir } from '../../src/watch/channels';

describe('the channels', () => {
  it('are what is told of them', () => {
    const store = new ChannelStore();
    expect(store.take({ t: 'tv.game', seq: 3, channel: 'best', g: 'x' })).toBe('gap');
    expect(store.take({ t: 'tv', seq: 7, channels: { best: 'a', zoo: 'z' } })).toBe('done');
    expect(store.take({ t: 'tv.game', seq: 7, channel: 'best', g: 'old' })).toBe('stale');
    expect(store.take({ t: 'tv.game', seq: 8, channel: 'blitz', g: 'b' })).toBe('done');
    expect(store.games).toEqual({ best: 'a', zoo: 'z', blitz: 'b' });
    expect(store.take({ t: 'tv.game', seq: 10, channel: 'best', g: 'c' })).toBe('gap');
    expect(store.take({ t: 'error', code: 'unavailable' })).toBe('done');
    expect(store.seq()).toBe(8);
    expect(store.names()).toEqual(['best', 'bullet', 'blitz', 'rapid', 'classical', 'chess960', 'zoo']);
    expect(store.names().map(channelName)).toEqual(['Best', 'Bullet', 'Blitz', 'Rapid', 'Classical', 'Chess960', 'zoo']);
  });
});

describe('what comes next', () => {
  const on = (fields: Partial<OnAir> = {}): OnAir => ({ g: 'a', over: null, rerun: false, live: true, done: false, ...fields });
  const seen = END_SEEN_MS + 1;

  it.each([
    ['the channel’s game', null, 'a', null, { to: 'a', rerun: false }],
    ['nothing yet, where nothing is known to be played over', null, null, null, 'search'],
    ['nothing, where nothing can be played over', null, null, [], 'stay'],
    ['the newest finished game', null, null, ['x', 'y'], { to: 'x', rerun: true }],
    ['the same while it goes on', on(), 'a', ['x'], 'stay'],
    ['a better one at once', on(), 'b', ['x'], { to: 'b', rerun: false }],
    ['the next once the end has been seen', on({ over: 0 }), 'b', ['x'], { to: 'b', rerun: false }],
    ['nothing into a look back', on({ live: false }), 'b', ['x'], 'stay'],
    ['nothing into a look back at what is over', on({ live: false, over: 0 }), 'a', ['x'], 'stay'],
    ['a finished game once the end has been seen', on({ over: 0 }), 'a', ['x'], { to: 'x', rerun: true }],
    ['a finished game where the channel shows none', on({ over: 0 }), null, ['x'], { to: 'x', rerun: true }],
    ['a look for finished games', on({ over: 0 }), 'a', null, 'search'],
    ['no break in what is played over', on({ rerun: true, live: false }), null, ['a', 'y'], 'stay'],
    ['the one after it', on({ rerun: true, done: true, over: 0 }), null, ['a', 'y'], { to: 'y', rerun: true }],
    ['the first after the last', on({ rerun: true, done: true, over: 0 }), null, ['x', 'a'], { to: 'x', rerun: true }],
    ['what is on, at once', on({ rerun: true, live: false }), 'b', ['a'], { to: 'b', rerun: false }],
  ] as const)('is %s', (_what, now, told, reruns, turn) => {
    expect(next(now, told, reruns, seen)).toEqual(turn);
  });

  it('lets the end be seen', () => {
    expect(next(on({ over: 0 }), 'b', [], END_SEEN_MS - 1)).toBe('stay');
    expect(next(on({ over: 0 }), 'a', ['x'], END_SEEN_MS - 1)).toBe('stay');
    expect(next(on({ rerun: true, done: true, over: 0 }), null, ['a', 'x'], END_SEEN_MS - 1)).toBe('stay');
  });
});
