import { expect, test } from 'vitest';
import { seekFit, sortedSeeks, waitKey, type Viewer } from '../../../src/lobby/seeks/seek-fit';
import { placeOf } from '../../../src/lobby/seeks/seek-graph';
import type { Seek, UserKind, Waiter } from '../../../src/net/protocol';

const BLITZ = { base_s: 180, inc_s: 2 };

const seek = (change: Partial<Seek> = {}): Seek => ({
  game: 'chess',
  variant: 'standard',
  tc: BLITZ,
  rated: false,
  rules: 'online',
  position: null,
  color: 'random',
  rating: null,
  provisional: null,
  min_rating: null,
  max_rating: null,
  seek: 's',
  user: { id: 'other', name: 'Otto', kind: 'member', title: null },
  ...change,
});

const me = (kind: UserKind, ratings: Viewer['ratings'] = {}): Viewer => ({
  user: { id: 'me', name: 'Anna', kind, title: null },
  ratings,
});

test.each<[string, Partial<Seek>, Viewer, string]>([
  ['a casual one', {}, me('guest'), 'fits'],
  ['for who is nobody yet', {}, { user: null, ratings: {} }, 'fits'],
  ['a rated one, for a guest', { rated: true }, me('guest'), 'members'],
  ['a rated one, for nobody yet', { rated: true }, { user: null, ratings: {} }, 'members'],
  ['a rated one, for a bot', { rated: true }, me('bot'), 'fits'],
  ['for weaker players', { max_rating: 1600 }, me('member', { blitz: { rating: 1601 } }), 'range'],
  ['for just these', { min_rating: 1601, max_rating: 1601 }, me('member', { blitz: { rating: 1601 } }), 'fits'],
  ['for ratings in another speed', { max_rating: 1600 }, me('member', { bullet: { rating: 2000 } }), 'fits'],
  ['who has no rating counts as 1500', { min_rating: 1501 }, me('guest'), 'range'],
  ['until they are known', { min_rating: 2500 }, me('member', null), 'fits'],
])('%s', (_name, change, person, fit) => {
  expect(seekFit(seek(change), person)).toBe(fit);
});

test('one’s own come first, then what one can take, the oldest first', () => {
  const mine = { id: 'me', name: 'Anna', kind: 'guest', title: null } as const;
  const seeks = [
    seek({ seek: 'rated', rated: true }),
    seek({ seek: 'first' }),
    seek({ seek: 'strong', min_rating: 2000 }),
    seek({ seek: 'second' }),
    seek({ seek: 'own', user: mine }),
  ];
  expect(sortedSeeks(seeks, [], me('guest')).map((one) => one.seek.seek)).toEqual(['own', 'first', 'second', 'rated', 'strong']);
});

test('people in casual pools stand among the seeks, with the terms of their pool', () => {
  const waiter = (id: string, change: Partial<Waiter> = {}): Waiter => ({
    user: { id, name: id, kind: 'guest', title: null },
    rating: null,
    provisional: null,
    pool: '3+2',
    game: 'chess',
    variant: 'standard',
    since: 1,
    ...change,
  });
  const russian = waiter('otto', { game: 'draughts', variant: 'russian', pool: '10+0' });
  const offers = sortedSeeks([seek({ rated: true })], [waiter('me'), russian], me('guest'));
  expect(offers.map(({ seek: { seek: id }, fit }) => [id, fit])).toEqual([['pool:me', 'own'], ['pool:otto', 'fits'], ['s', 'members']]);
  expect(offers[1]).toMatchObject({ waiter: russian, seek: { tc: { base_s: 600 }, variant: 'russian', rated: false, color: 'random' } });
  expect(offers[2]!.waiter).toBeUndefined();
  // Not again when they wait anew.
  const refused = new Set([waitKey(russian)]);
  expect(sortedSeeks([], [russian], me('guest'), refused)[0]!.fit).toBe('refused');
  expect(sortedSeeks([], [{ ...russian, since: 2 }], me('guest'), refused)[0]!.fit).toBe('fits');
  // Nobody else comes under the pointer.
  const others = sortedSeeks([], [russian, waiter('anna')], me('guest'), refused);
  expect(others.map(({ seek: { seek: id } }) => id)).toEqual(['pool:otto', 'pool:anna']);
});

test('in the graph faster is further left and stronger higher', () => {
  const xs = [{ base_s: 30 }, { base_s: 60 }, BLITZ, { base_s: 600 }, { base_s: 1_800 }, { base_s: 5_400 }, { days: 2 }].map(
    (tc) => placeOf(seek({ tc })).x,
  );
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(new Set(xs).size).toBe(xs.length);
  expect(placeOf(seek({ tc: null }))).toEqual(placeOf(seek({ tc: { days: 1 } })));
  const ys = [null, 100, 900, 1500, 2300, 3900].map((rating) => placeOf(seek({ rating })).y);
  expect(ys).toEqual([...ys].sort((a, b) => b - a));
  for (const n of [...xs, ...ys]) expect(n > 0 && n < 100).toBe(true);
});
