import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StalePageReloader } from '../../src/browser/stale-page-reloader';

const kept = new Map<string, string>();
const storage = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
  removeItem: (name: string) => void kept.delete(name),
};
const reload = vi.fn();
const answer = vi.fn<() => Promise<{ ok: boolean }>>();

beforeEach(() => {
  kept.clear();
  reload.mockReset();
  answer.mockReset().mockResolvedValue({ ok: true });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => void vi.unstubAllGlobals());

test('a page that does not come is loaded anew, once', async () => {
  const reloads = () => new StalePageReloader(storage, { href: '/live', reload });
  expect(await reloads().reloadOnce()).toBe(true);
  expect(await reloads().reloadOnce()).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
  // Another page is reloaded too, and so is this one after the next deploy.
  expect(await new StalePageReloader(storage, { href: '/search', reload }).reloadOnce()).toBe(true);
  reloads().loaded();
  expect(await reloads().reloadOnce()).toBe(true);
});

test.each([
  ['does not serve it', () => answer.mockResolvedValue({ ok: false })],
  ['is not there', () => answer.mockRejectedValue(new TypeError('no network'))],
])('nothing is loaded where the server %s', async (_what, set) => {
  set();
  expect(await new StalePageReloader(storage, { href: '/live', reload }).reloadOnce()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test('without a note of it nothing is loaded: it might go on for ever', async () => {
  const full = { ...storage, setItem: () => { throw new DOMException('full', 'QuotaExceededError'); } };
  for (const of of [null, full]) expect(await new StalePageReloader(of, { href: '/live', reload }).reloadOnce()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test('who has gone on meanwhile is left alone', async () => {
  const location = { href: '/live', reload };
  answer.mockImplementation(async () => {
    location.href = '/';
    return { ok: true };
  });
  expect(await new StalePageReloader(storage, location).reloadOnce()).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});
