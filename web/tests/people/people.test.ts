import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { agentName } from '../../src/people/agent';
import { asked, filterOf, unfitOf } from '../../src/people/games-filter';
import { nearest, scaleOf, type Point } from '../../src/people/rating-scale';
import { gameIn } from '../../src/people/report-form';
import { authLink, nextPath } from '../../src/ui/login-links';
import { perfName, perfOf, PERFS, sortedPerfs } from '../../src/variants/perfs';

describe('the filter of a list of games', () => {
  const of = (text: string) => filterOf(new URLSearchParams(text));

  it('takes what the server knows, and leaves out the rest', () => {
    expect(of('result=won&speed=blitz&rated=0&variant=chess960')).toEqual({
      result: 'won',
      speed: 'blitz',
      rated: '0',
      variant: 'chess960',
    });
    expect(of('result=all&speed=warp&color=green&rated=maybe&other=1&opponent=%20')).toEqual({});
    expect(of('since=2026-13-01&until=yesterday')).toEqual({});
    expect(unfitOf(new URLSearchParams('speed=warp&rated=0&opponent=%20&other=1'))).toEqual({ speed: 'warp' });
    expect(of(`user=${'x'.repeat(33)}`)).toEqual({});
  });

  it('asks for whole days of the person’s own time', () => {
    const filter = of('since=2026-03-28&until=2026-03-29');
    const params = asked(filter, 'Anna');
    expect(params.user).toBe('Anna');
    expect(Number(params.since)).toBe(new Date(2026, 2, 28).getTime());
    // Includes the day of a clock change, which does not have 24 hours.
    expect(Number(params.until)).toBe(new Date(2026, 2, 30).getTime());
  });

  it('asks only of one person’s games what is one person’s', () => {
    const filter = of('opponent=Bertil&result=won&color=w&speed=blitz');
    expect(asked(filter, null)).toEqual({ speed: 'blitz' });
    expect(asked({ ...filter, user: 'Anna' }, null)).toMatchObject({ user: 'Anna', opponent: 'Bertil', result: 'won' });
    expect(asked(of('user=Bertil'), 'Anna').user).toBe('Anna');
  });
});

describe('the scale of a rating’s course', () => {
  const DAY = 86_400_000;
  const courses: Point[][] = [
    [[0, 1500]],
    [
      [0, 1500],
      [DAY, 1500],
    ],
    Array.from({ length: 30 }, (_, index): Point => [index * DAY, 1400 + index * 13]),
    [
      [0, 100],
      [9 * DAY, 4000],
    ],
  ];

  it.each(courses)('has every point within a few lines (%#)', (...points) => {
    const scale = scaleOf(points);
    expect(scale.lines.length).toBeGreaterThanOrEqual(2);
    expect(scale.lines.length).toBeLessThanOrEqual(8);
    expect([scale.lines[0], scale.lines.at(-1)]).toEqual([scale.low, scale.high]);
    points.forEach(([at, rating], index) => {
      expect(scale.y(rating)).toBeGreaterThan(0);
      expect(scale.y(rating)).toBeLessThan(100);
      expect(scale.x(at)).toBeGreaterThanOrEqual(0);
      expect(scale.x(at)).toBeLessThanOrEqual(100);
      expect(nearest(points, scale, scale.x(at))).toBe(index);
    });
  });

  it('finds the nearest point from beyond the ends', () => {
    const points = courses[2]!;
    expect(nearest(points, scaleOf(points), -50)).toBe(0);
    expect(nearest(points, scaleOf(points), 150)).toBe(29);
  });
});

test('a rating is for the speed, and for the variant where that is not the usual', () => {
  expect(perfOf('standard', 'blitz')).toBe('blitz');
  expect(perfOf('chess960', 'bullet')).toBe('chess960-bullet');
});

test('ratings are named by speed and variant', () => {
  expect(perfName('losing-russian-rapid')).toBe('Losing Russian draughts rapid');
  expect(PERFS[0]).toBe('bullet');
  expect(PERFS).not.toContain('unlimited');
  expect(perfName('blitz')).toBe('Blitz');
  expect(perfName('chess960-rapid')).toBe('Chess960 rapid');
  expect(sortedPerfs(['three_checks-blitz', 'chess960-blitz', 'rapid', 'bullet'])).toEqual([
    'bullet',
    'rapid',
    'chess960-blitz',
    'three_checks-blitz',
  ]);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36', 'Chrome on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36 Edg/120.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/17.0 Mobile Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.0; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox on macOS'],
  ['curl/8.0', 'curl/8.0'],
  ['x'.repeat(100), `${'x'.repeat(40)}…`],
  [null, 'Application'],
])('a browser is called by its name: %s', (agent, name) => expect(agentName(agent)).toBe(name));

test.each([
  ['https://zeitnot.example/game/HeUmO7ev', 'HeUmO7ev'],
  ['https://zeitnot.example/game/HeUmO7ev/?x=1#m3', 'HeUmO7ev'],
  [' HeUmO7ev ', 'HeUmO7ev'],
  ['', null],
])('a game is found in its link: %s', (text, id) => expect(gameIn(text)).toBe(id));

describe('the ways in', () => {
  const at = (address: string) => {
    const { pathname, search, origin } = new URL(address, 'https://zeitnot.example');
    vi.stubGlobal('location', { pathname, search, origin });
  };
  afterEach(() => vi.unstubAllGlobals());

  it('lead back, from one to the other too', () => {
    at('/game/x?a=1');
    expect(authLink('/login', '/game/x?a=1')).toBe('/login?next=%2Fgame%2Fx%3Fa%3D1');
    expect(authLink('/signup', '/login?next=%2Fgame%2Fx%3Fa%3D1')).toBe('/signup?next=%2Fgame%2Fx%3Fa%3D1');
    expect(authLink('/login', '/')).toBe('/login');
    at('/login?next=%2Fgame%2Fx%3Fa%3D1');
    expect(nextPath()).toBe('/game/x?a=1');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', '/\t/evil.example'])(
    'never lead to another site: %s',
    (next) => {
      at(`/login?next=${encodeURIComponent(next)}`);
      expect(nextPath()).toBe('/');
    },
  );
});
