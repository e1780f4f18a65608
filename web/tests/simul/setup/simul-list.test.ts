import { expect, it } from 'vitest';
import type { SimulCard } from '../../../src/net/protocol';
import { byStatus } from '../../../src/simul/setup/simul-list';

it('running simuls come first, then open, then finished ones, in the order of the server', () => {
  const card = (simul: string, status: SimulCard['status']) => ({ simul, status }) as SimulCard;
  const cards = [card('a', 'finished'), card('b', 'created'), card('c', 'running'), card('d', 'finished'), card('e', 'running')];
  expect(byStatus(cards).map(({ simul }) => simul)).toEqual(['c', 'e', 'b', 'a', 'd']);
});
