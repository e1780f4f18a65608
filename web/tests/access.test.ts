import { describe, expect, test } from 'vitest';
import { answer } from '../src/access/commands';
import { forVoice } from '../src/access/speech';
import type { Table } from '../src/access/table';
import { tellChange, tellTime } from '../src/access/tell';
import type { Color, GameSnapshot } from '../src/protocol';
import { DEFAULTS } from '../src/settings';

const player = (name: string) => ({
  user: { id: name, name, kind: 'guest' as const, title: null },
  rating: null,
  provisional: null,
  online: true,
});

const GAME: GameSnapshot = {
  t: 'game',
  g: 'abc',
  seq: 3,
  game: 'chess',
  variant: 'standard',
  rated: false,
  rules: 'online',
  speed: 'blitz',
  tc: { base_s: 180, inc_s: 2 },
  players: { w: player('Anna'), b: player('Ben') },
  you: 'w',
  fen: null,
  moves: ['e2e4', 'e7e5'],
  notation: ['e4', 'e5'],
  times: [],
  position: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
  turn: 'w',
  clock: { w: 170_000, b: 61_000, run: 'w', at: 0 },
  offers: { draw: null, takeback: null, rematch: null },
  status: 'live',
  result: '*',
  reason: null,
  watchers: 0,
  simul: null,
  next: null,
};

const LEGAL = ['g1f3', 'g1e2', 'b1c3', 'd2d4', 'e1e2', 'f1a6'];

function table(change: Partial<GameSnapshot> = {}, own: Color[] = ['w']): Table {
  const game = { ...GAME, ...change };
  const legal = own.includes(game.turn) ? LEGAL : null;
  return { game, own, bottom: 'w', legal, left_ms: (color) => game.clock?.[color] ?? null };
}

const asked = (text: string, at = table(), confirming?: 'resign') => answer(text, at, { settings: DEFAULTS, confirming });
const draw = (by: Color) => ({ offers: { ...GAME.offers, draw: by } });

describe('the input', () => {
  test.each([
    ['c', 'White 2 minutes 50 seconds, running; Black 1 minute 1 second'],
    ['clock', 'White 2 minutes 50 seconds, running; Black 1 minute 1 second'],
    ['l', 'Black: e5'],
    ['/l', 'Black: e5'],
    ['o', 'Ben, Black, here'],
    ['p n', 'black knight: b8 g8'],
    ['p K', 'white king: e1'],
    ['p x', 'Say which: p n, p k; p a for all of Black’s, p A for all of White’s.'],
    ['s e', 'e: e1 white king, e4 white pawn, e5 black pawn, e8 black king'],
    ['s 6', '6: empty'],
    ['s', 'Your move, White to move, move 2.'],
    ['decline', 'There is no offer to decline.'],
    ['Nf6', 'Nf6 is not a legal move.'],
    ['xyzzy', '“xyzzy” is neither a move nor a command. Type help for the commands.'],
    ['rematch', 'A rematch can be offered when the game is over.'],
    ['abort', 'The game has begun: it can be resigned, not aborted.'],
  ])('answers %s', (text, words) => {
    expect(asked(text).tell).toBe(words);
  });

  test('plays moves', () => {
    expect(asked('Nf3')).toEqual({ play: 'g1f3' });
    expect(asked('d2d4')).toEqual({ play: 'd2d4' });
    expect(asked('e2').tell).toContain('not a legal move');
    expect(asked('d5', table({ turn: 'b' })).tell).toBe('It is not your move.');
    expect(asked('d4', table({}, [])).tell).toContain('You are watching');
  });

  test('b goes to the board', () => {
    expect(asked('b')).toEqual({ go: 'board' });
  });

  test('resign is asked for twice, unless the person will not be asked', () => {
    expect(asked('resign')).toMatchObject({ confirm: 'resign' });
    expect(asked('resign', table(), 'resign')).toEqual({ send: { t: 'resign' } });
    expect(answer('resign', table(), { settings: { ...DEFAULTS, confirmResign: false }, confirming: undefined })).toEqual({
      send: { t: 'resign' },
    });
  });

  test('draw offers, and accepts', () => {
    expect(asked('draw')).toEqual({ send: { t: 'draw', do: 'offer' } });
    expect(asked('draw', table(draw('b')))).toEqual({ send: { t: 'draw', do: 'accept' } });
    expect(asked('decline', table(draw('b')))).toEqual({ send: { t: 'draw', do: 'decline' } });
    expect(asked('draw', table(draw('w'))).tell).toBe('You have offered a draw.');
  });

  test('only players can act, and only while the game is on', () => {
    for (const word of ['resign', 'draw', 'takeback', 'moretime', 'claim', 'abort']) {
      expect(asked(word, table({}, [])).tell).toBe('Only players can do that.');
      expect(asked(word, table({ status: 'over' })).tell).toBe('The game is over.');
    }
  });
});

describe('what happened is told', () => {
  test('a move', () => {
    const after = table({ moves: [...GAME.moves, 'g1f3'], notation: [...GAME.notation, 'Nf3'], turn: 'b' });
    expect(tellChange(GAME, after)).toEqual(['White: knight f3']);
  });

  test('an end', () => {
    const after = table({ status: 'over', result: '0-1', reason: 'resignation' });
    expect(tellChange(GAME, after)).toEqual(['The game is over: Black wins, resignation.']);
  });

  test('offers and their end', () => {
    expect(tellChange(GAME, table(draw('b')))).toEqual([
      'Your opponent offers a draw. Type draw to accept, decline to decline.',
    ]);
    expect(tellChange({ ...GAME, ...draw('w') }, table())).toEqual(['No offer is open any more.']);
  });

  test('nothing when only the clocks went on', () => {
    expect(tellChange(GAME, table({ clock: { w: 1, b: 1, run: 'w', at: 5 } }))).toEqual([]);
  });
});

test.each([
  [0, '0 seconds'],
  [1_999, '1 second'],
  [61_000, '1 minute 1 second'],
  [3_600_000, '1 hour'],
  [3_725_000, '1 hour 2 minutes'],
  [90_000_000, '1 day 1 hour'],
])('%i ms are %s', (ms, words) => {
  expect(tellTime(ms)).toBe(words);
});

test('the voice is given letters and numbers apart', () => {
  expect(forVoice('White: a takes b4, check')).toBe('White: a takes B 4, check');
});
