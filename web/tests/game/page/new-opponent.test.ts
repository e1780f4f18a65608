import { expect, test } from 'vitest';
import { newOpponentRequest } from '../../../src/game/page/new-opponent';
import type { GameSnapshot } from '../../../src/net/protocol';

const game = (change: Partial<GameSnapshot>): GameSnapshot =>
  ({ game: 'chess', variant: 'standard', rated: false, rules: 'online', tc: { base_s: 300, inc_s: 0 }, ...change }) as GameSnapshot;

test('on the terms of a pool one waits in it', () => {
  expect(newOpponentRequest(game({}), 'w')).toEqual({ t: 'pool.join', pool: '5+0', rated: false });
});

test('for another game one is looked for by a seek, whatever its time', () => {
  expect(newOpponentRequest(game({ game: 'draughts', variant: 'russian' }), 'w')).toEqual({
    t: 'seek', game: 'draughts', variant: 'russian', rated: false, tc: { base_s: 300, inc_s: 0 }, color: 'random',
  });
});

test('rules that are not the usual ones are asked for again', () => {
  const fmjd = newOpponentRequest(game({ game: 'draughts', variant: 'international', rules: 'fmjd' }), 'b');
  expect(fmjd).toMatchObject({ t: 'seek', rules: 'fmjd' });
});
