import { expect, it, test } from 'vitest';
import { groundOf } from '../../../src/board/star/ground';

const { places, start, placement, write, reaches } = groundOf('fifteen');

test('the star has 121 holes, no two at one place, each as far from its neighbours as any', () => {
  expect(places.size).toBe(121);
  expect(new Set([...places.values()].map(({ column, row }) => `${column} ${row}`)).size).toBe(121);
  const all = [...places.values()];
  for (const one of all) {
    const distances = all.filter((other) => other !== one).map((other) => Math.hypot(one.x - other.x, one.y - other.y));
    expect(Math.min(...distances)).toBeCloseTo(groundOf('ten').unit, 6);
  }
});

test('after half a turn the star lies on itself', () => {
  const names = [...places.keys()];
  names.forEach((name, index) => {
    const [one, other] = [places.get(name)!, places.get(names[names.length - 1 - index]!)!];
    expect(one.x + other.x).toBeCloseTo(1);
    expect(one.y + other.y).toBeCloseTo(1);
  });
});

it('sets up fifteen pieces, or ten', () => {
  expect(start).toBe('b/bb/bbb/bbbb/4bbbbb4/12/11/10/9/10/11/12/4wwwww4/wwww/www/ww/w w');
  expect(groundOf('ten').start).toBe('b/bb/bbb/bbbb/13/12/11/10/9/10/11/12/13/wwww/www/ww/w w');
  expect(placement(start).get('a1')).toEqual({ role: 'o', color: 'w' });
  expect(placement(start).get('q1')).toEqual({ role: 'o', color: 'b' });
});

it('reads and writes positions, and of others what is on the star', () => {
  const fen = 'b/bb/w1b/bbbb/13/12/11/4b1w3/9/10/11/12/13/wwww/www/1w/w b';
  expect(write(placement(fen), 'b')).toBe(fen);
  expect(placement('wwwwww/99/x').size).toBe(1);
});

it('lets a piece be moved ahead to a neighbour, or as hops go', () => {
  expect(reaches({ role: 'o', color: 'w' }, 'd1', 'e5')).toBe(true);
  expect(reaches({ role: 'o', color: 'w' }, 'c1', 'e5')).toBe(true);
  expect(reaches({ role: 'o', color: 'w' }, 'd1', 'd2')).toBe(true);
  expect(reaches({ role: 'o', color: 'w' }, 'd1', 'd1')).toBe(false);
  expect(reaches({ role: 'o', color: 'w' }, 'd1', 'f4')).toBe(true);
  expect(reaches({ role: 'o', color: 'w' }, 'd1', 'f5')).toBe(false);
});
