import { expect, test } from 'vitest';
import { newOpponentRequest, robotOf } from '../../../src/game/page/new-opponent';
import type { GameSnapshot } from '../../../src/net/protocol';

const game = (change: Partial<GameSnapshot>): GameSnapshot =>
  ({ game: 'chess', variant: 'standard', rated: false, rules: 'online', tc: { base_s: 300, inc_s: 0 }, ...change }) as GameSnapshot;

test('on the terms of a pool one waits in it', () => {
  expect(newOpponentRequest(game({}), 'w')).toEqual({ t: 'pool.join', pool: '5+0', rated: false });
});

test('a pool is of the same variant', () => {
  const russian = game({ game: 'draughts', variant: 'russian' });
  expect(newOpponentRequest(russian, 'w')).toEqual({ t: 'pool.join', pool: '5+0', rated: false, game: 'draughts', variant: 'russian' });
});

test('rules that are not the usual ones are asked for again', () => {
  const fmjd = newOpponentRequest(game({ game: 'draughts', variant: 'international', rules: 'fmjd' }), 'b');
  expect(fmjd).toMatchObject({ t: 'seek', rules: 'fmjd' });
});

test('after a game against a robot it is another one, on the same terms', () => {
  const seat = (id: string, kind: string) => ({ user: { id, kind } });
  const players = { w: seat('anna', 'member'), b: seat('robot4', 'bot') } as GameSnapshot['players'];
  const terms = { variant: 'standard', rated: false, rules: 'online', tc: { base_s: 300, inc_s: 0 } };
  expect(robotOf(game({ players }), 'w')).toEqual({ robot: true, level: 4, terms });
  expect(robotOf(game({ players }), 'b')).toBeNull();
  expect(robotOf(game({ players }), null)).toBeNull();
});
