import type { TemplateResult } from 'lit-html';
import { expect, test } from 'vitest';
import type { ListedGame } from '../../src/net/protocol';
import { gameRow } from '../../src/people/game-rows';
import { RatingGraph } from '../../src/people/rating-graph';
import { day, moment } from '../../src/words/dates';

/** The HTML of a template. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join('');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const { strings, values } = value as Partial<TemplateResult>;
  return strings === undefined ? '' : strings.map((part, index) => part + written(values?.[index] ?? '')).join('');
}

const DAY_MS = 86_400_000;
const NOON = new Date(2026, 2, 5, 12).getTime();
const graph = (...at: number[]) => written(new RatingGraph('Blitz', at.map((when) => [when, 1500]), () => undefined).draw());

test('points of several days are told by their days', () => {
  const shown = graph(NOON, NOON + DAY_MS);
  expect(shown).toContain(`${day(NOON + DAY_MS)}: 1500`);
  expect(shown).toContain(`<span>${day(NOON)}</span><span>${day(NOON + DAY_MS)}</span>`);
});

test('points of one day are told with the time, and the day stands below once', () => {
  const shown = graph(NOON, NOON + 60_000);
  expect(shown).toContain(`${moment(NOON + 60_000)}: 1500`);
  expect(shown.split(`<span>${day(NOON)}</span>`)).toHaveLength(2);
});

const seat = (name: string) => ({ user: { id: name, name }, rating: 1500, provisional: false });
const game = (ratings: ListedGame['ratings']) =>
  ({
    g: 'one',
    variant: 'standard',
    speed: 'blitz',
    tc: { base_s: 180 },
    players: { w: seat('Anna'), b: seat('Bert') },
    status: 'over',
    result: '1-0',
    reason: 'resignation',
    rated: true,
    created: NOON,
    ratings,
  }) as unknown as ListedGame;

test('a game of a list tells what it has made of the ratings, once that is known', () => {
  const counted = written(gameRow(game({ w: 1508, b: 1493 }), null));
  expect(counted).toContain('+8');
  expect(counted).toContain('−7');
  expect(written(gameRow(game(null), null))).not.toMatch(/[+−]\d+<\/span>/);
});
