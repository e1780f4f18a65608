import { expect, it, vi } from 'vitest';
import type { App } from '../../../src/app';
import type { SimulCard } from '../../../src/net/protocol';
import { byStatus, SimulList } from '../../../src/simul/setup/simul-list';

it('running simuls come first, then open, then finished ones, in the order of the server', () => {
  const card = (simul: string, status: SimulCard['status']) => ({ simul, status }) as SimulCard;
  const cards = [card('a', 'finished'), card('b', 'created'), card('c', 'running'), card('d', 'finished'), card('e', 'running')];
  expect(byStatus(cards).map(({ simul }) => simul)).toEqual(['c', 'e', 'b', 'a', 'd']);
});

it('running and open simuls are asked for often, finished ones every minute', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address.split('status=')[1]!);
    return Promise.resolve(new Response('{"simuls": [], "next": null}'));
  });
  const list = new SimulList({ changed: () => undefined } as unknown as App, 'all');
  await vi.advanceTimersByTimeAsync(60_000);
  const count = (status: string) => asked.filter((one) => one === status).length;
  expect([count('running'), count('open'), count('finished')]).toEqual([8, 8, 2]);
  list.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(18);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
