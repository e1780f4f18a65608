import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Resource } from '../../src/ui/resource';

const ask = vi.fn<(address: string) => Promise<Response>>();
const changed = vi.fn();
const settle = () => vi.advanceTimersByTimeAsync(0);

const refused = (status: number, headers: Record<string, string> = {}) => new Response('{"error":{}}', { status, headers });

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockImplementation(async () => Response.json({ name: 'Anna' }));
  changed.mockReset();
  vi.stubGlobal('fetch', ask);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('what is there is got', async () => {
  const wanted = new Resource('/x', changed);
  expect(wanted.state).toBe('loading');
  await settle();
  expect([wanted.state, wanted.value]).toEqual(['there', { name: 'Anna' }]);
  expect(changed).toHaveBeenCalled();
});

test.each([400, 404])('what cannot be is missing: %d', async (status) => {
  ask.mockResolvedValue(refused(status));
  const wanted = new Resource('/x', changed);
  await vi.runAllTimersAsync();
  expect(wanted.state).toBe('missing');
  expect(ask).toHaveBeenCalledOnce();
});

test.each([
  ['429', () => refused(429)],
  ['503', () => refused(503)],
  ['500', () => refused(500)],
  ['what is no JSON', () => new Response('<html>', { status: 200 })],
])('after %s it is asked for again', async (_what, answer) => {
  ask.mockImplementationOnce(async () => answer());
  const wanted = new Resource('/x', changed);
  await settle();
  expect(wanted.state).toBe('failed');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([wanted.state, wanted.value]).toEqual(['there', { name: 'Anna' }]);
});

test('without a network it is asked for less and less often', async () => {
  ask.mockRejectedValue(new TypeError('no network'));
  const wanted = new Resource('/x', changed);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(wanted.state).toBe('failed');
  expect(ask).toHaveBeenCalledTimes(1 + 5 + 2); // after 1, 2, 4, 8, 16 s, and every 30 s
});

test('not before the server wants to be asked', async () => {
  ask.mockImplementationOnce(async () => refused(429, { 'Retry-After': '7' }));
  new Resource('/x', changed);
  await vi.advanceTimersByTimeAsync(6_900);
  expect(ask).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(100);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('what is there stays while it cannot be asked for anew', async () => {
  const wanted = new Resource('/x', changed);
  await settle();
  ask.mockImplementationOnce(async () => refused(503));
  await wanted.load();
  expect([wanted.state, wanted.value]).toEqual(['there', { name: 'Anna' }]);
});

test('the answer to the last question counts', async () => {
  let late: (response: Response) => void = () => undefined;
  ask.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)));
  const wanted = new Resource('/x', changed);
  await wanted.load();
  late(refused(404));
  await settle();
  expect(wanted.state).toBe('there');
});

test('nobody asks for what is not wanted any more', async () => {
  ask.mockImplementation(async () => refused(503));
  const wanted = new Resource('/x', changed);
  await settle();
  wanted.close();
  await vi.runAllTimersAsync();
  expect(ask).toHaveBeenCalledOnce();
});
