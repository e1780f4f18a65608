import { describe, expect, it } from 'vitest';
import { isEmptyFilter, liveFilterOf } from '../../src/watch/live-filter';
import { stableOrder } from '../../src/watch/stable-order';
import { columnsFor, gamesIn, gamesNamed, MOST_GAMES, movedTo, sideFor, StoredWall, wallAddress, wallOf } from '../../src/watch/wall-games';

const never = () => false;

describe('a list that changes while it is looked at', () => {
  it('begins as it is told', () => {
    expect(stableOrder([], ['a', 'b'], never, 9)).toEqual(['a', 'b']);
  });

  it('leaves every game in its place', () => {
    expect(stableOrder(['a', 'b', 'c'], ['c', 'b', 'a', 'd'], never, 9)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('fills a place that is free', () => {
    expect(stableOrder(['a', 'b', 'c'], ['a', 'c', 'd', 'e'], never, 9)).toEqual(['a', 'd', 'c', 'e']);
    expect(stableOrder(['a', 'b', 'c'], ['a', 'c'], never, 9)).toEqual(['a', 'c']);
  });

  it('keeps a game whose end is still to be seen', () => {
    expect(stableOrder(['a', 'b'], ['c'], (g) => g === 'b', 9)).toEqual(['c', 'b']);
  });

  it('has its bounds', () => {
    expect(stableOrder(['a'], ['a', 'b', 'c'], never, 2)).toEqual(['a', 'b']);
  });
});

describe('a filter of games being played', () => {
  const from = (search: string) => liveFilterOf(new URLSearchParams(search));

  it('is what the address says', () => {
    expect(from('?speed=blitz&variant=chess960&min_rating=2050&title=1&friends=1')).toEqual({
      speed: 'blitz', variant: 'chess960', min_rating: '2050', title: '1', friends: '1',
    });
    expect(isEmptyFilter(from(''))).toBe(true);
  });

  it('leaves out what nobody knows', () => {
    expect(from('?speed=warp&variant=go&min_rating=-1&title=yes&friends=0&colour=w')).toEqual({});
    expect(from('?min_rating=9999')).toEqual({});
  });
});

describe('a wall', () => {
  it('holds each game once, and no more than so many', () => {
    expect(wallOf(['a', 'b', 'a', 'no id', ''])).toEqual(['a', 'b']);
    expect(wallOf(Array.from({ length: 20 }, (_, n) => `g${n}`))).toHaveLength(MOST_GAMES);
  });

  it('is told by its address', () => {
    expect(wallAddress(['a', 'b'])).toBe('/wall?games=a,b');
    expect(wallAddress([])).toBe('/wall');
    expect(gamesIn('?games=a,b')).toEqual(['a', 'b']);
    expect(gamesIn('?games=a%2Cb,..%2Fx')).toEqual(['a', 'b']);
    expect(gamesIn('')).toEqual([]);
  });

  it('takes ids and addresses of games', () => {
    const text = 'abc12345 https://example.org/game/XYZ98765?x=1#12, http://localhost:8000/embed/game/q1 /game/r2/ not-an-id';
    expect(gamesNamed(text)).toEqual({ games: ['abc12345', 'XYZ98765', 'q1', 'r2'], unknown: ['not-an-id'] });
    expect(gamesNamed(' \n')).toEqual({ games: [], unknown: [] });
  });

  it('is put in another order', () => {
    expect(movedTo(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a']);
    expect(movedTo(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
    expect(movedTo(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
    expect(movedTo(['a', 'b', 'c'], 'c', 9)).toEqual(['a', 'b', 'c']);
    expect(movedTo(['a'], 'x', 0)).toEqual(['a']);
  });

  it('has as many columns as make its boards largest', () => {
    expect(columnsFor(1, 1280, 800, 60, 10)).toBe(1);
    expect(columnsFor(2, 1280, 800, 60, 10)).toBe(2);
    expect(columnsFor(12, 1280, 800, 60, 10)).toBe(6);
    expect(columnsFor(12, 390, 800, 60, 10)).toBe(3);
    expect(columnsFor(0, 1280, 800, 60, 10)).toBe(1);
  });

  it('has boards that are seen whole', () => {
    const size = { width: 812, height: 260, above: 120, gap: 10, least: 150 };
    expect(sideFor(2, 2, size)).toBe(230);
    expect(sideFor(12, 5, size)).toBe(154);
    expect(sideFor(2, 2, { ...size, height: 100 })).toBe(150);
    expect(sideFor(2, 2, { ...size, height: 300 })).toBe(180);
    expect(sideFor(2, 2, { ...size, height: 800 })).toBe(401);
  });

  it('is kept, whatever else is found in its place', () => {
    const kept = new Map<string, string>();
    const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => kept.set(key, text) };
    const wall = new StoredWall(storage as unknown as Storage);
    expect(wall.games).toEqual([]);
    wall.games = ['a', 'b'];
    expect(wall.games).toEqual(['a', 'b']);
    for (const broken of ['{', '7', '{"a":1}', '[1,null,"a b"]']) {
      kept.set('wall', broken);
      expect(wall.games).toEqual([]);
    }
    const full = { getItem: () => null, setItem: () => { throw new DOMException('full', 'QuotaExceededError'); } };
    new StoredWall(full as unknown as Storage).games = ['a'];
    expect(new StoredWall(null).games).toEqual([]);
  });
});
