import { expect, it } from 'vitest';
import { News } from '../../../src/game/laws/news';
import type { GameMessage } from '../../../src/net/protocol';
import { SettingsStore } from '../../../src/settings/store';
import { byLaws, KNIGHT } from './laws-snapshot';

it.each([
  ['with its intended move stays while that is made', 'g1f3', true],
  ['without a move goes with the next move', null, false],
])('the ruling on a wrong claim %s', (_, move, stays) => {
  const app = { settings: new SettingsStore(null), sounds: { play: () => undefined } };
  const parts = {
    access: { notice: () => undefined },
    seat: { side: () => 'b' },
    mover: { gameBoard: { at: () => new Map([['g1', { role: 'n', color: 'w' }]]) } },
  };
  const news = new News(...([app, parts] as unknown as ConstructorParameters<typeof News>));
  const ruling = { t: 'ruling', g: 'abc', seq: 1, by: 'w', what: 'wrong_claim', move, times: 0, given_ms: 120_000, touched: [] };
  news.take(ruling as unknown as GameMessage, byLaws(), byLaws());
  expect(news.ruling).not.toBe('');
  news.take({ t: 'made', g: 'abc', seq: 2, ply: 2, by: 'w', ...KNIGHT, touched: ['g1'] } as unknown as GameMessage, byLaws(), byLaws());
  expect(news.ruling !== '').toBe(stays);
});
