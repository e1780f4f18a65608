import { expect, it } from 'vitest';
import type { App } from '../../../src/app';
import { sortedSeeks, waitKey } from '../../../src/lobby/seeks/seek-fit';
import { seekList } from '../../../src/lobby/seeks/seek-list';
import { Refused, type Waiter } from '../../../src/net/protocol';
import { handlers } from '../../ui/template-text';

const waiter: Waiter = {
  user: { id: 'ben', name: 'Ben', kind: 'guest', title: null },
  rating: null,
  provisional: null,
  pool: '3+2',
  game: 'chess',
  variant: 'standard',
  since: 1,
};

it.each([
  ['is not offered again', [], [waitKey(waiter)]],
  ['may be offered again, if the person plays', ['g1'], []],
])('who was refused %s', (_name, games, expected) => {
  const refused = new Set<string>();
  const ask = (_: object, handle: (why: Refused) => boolean) => Promise.resolve(handle(new Refused('conflict', 'no')));
  const app = { gameRequests: { ask }, seeks: { refused }, socket: { games } } as unknown as App;
  const listed = sortedSeeks([], [waiter], { user: null, ratings: {} });
  handlers(seekList(app, listed), 'click')[0]!({} as Event);
  expect([...refused]).toEqual(expected);
});
