import { describe, expect, test } from 'vitest';
import type { AccessibleGame } from '../../src/access/accessible-game';
import { answer } from '../../src/access/commands';
import { tellOffers, tellShown, tellStanding } from '../../src/access/tell';
import { DEFAULTS } from '../../src/settings/settings';
import { asked, draw, GAME, table } from './accessible-game';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('the input', () => {
  test.each([
    ['c', 'White 2 minutes 50 seconds, running; Black 1 minute 1 second'],
    ['clock', 'White 2 minutes 50 seconds, running; Black 1 minute 1 second'],
    ['l', 'Black: e5'],
    ['n', 'White has made 1 move, Black 1 move.'],
    ['/l', 'Black: e5'],
    ['o', 'Ben, Black, online'],
    ['p n', 'black knight: b8 g8'],
    ['p K', 'white king: e1'],
    ['p x', 'Which piece? Type p n, p k; p a for all black pieces, p A for all white pieces.'],
    ['s e', 'e: e1 white king, e4 white pawn, e5 black pawn, e8 black king'],
    ['s 6', '6: empty'],
    ['s', 'Your move, White to move, move 2.'],
    ['decline', 'There’s no offer to answer.'],
    ['accept', 'There’s no offer to answer.'],
    ['cancel', 'There’s nothing to cancel.'],
    ['yes', 'There’s nothing to confirm.'],
    ['b j9', 'j9 is not a square.'],
    ['claim win', 'Your opponent is here: nothing to claim.'],
    ['claim Nf6', 'Nf6 is not a legal move.'],
    ['new', 'You can offer a rematch when the game is over.'],
    ['pause', 'You can only pause pass-and-play games and games against the computer, with a clock, once both sides have moved.'],
    ['Nf6', 'Nf6 is not a legal move.'],
    ['xyzzy', '“xyzzy” is not a move or command. Type help for a list of commands.'],
    ['rematch', 'You can offer a rematch when the game is over.'],
    ['abort', 'Both players have moved: the game can’t be aborted any more.'],
  ])('answers %s', (text, words) => {
    expect(asked(text).tell).toBe(words);
  });

  test('asks for a hint where there are any', () => {
    expect(asked('hint').tell).toContain('There are no hints in this game.');
    const hints = { hints: true };
    expect(asked('hint', table(hints))).toEqual({ hint: true });
    expect(asked('h', table(hints))).toEqual({ hint: true });
    expect(asked('h 4', table(hints)).hint).toBeUndefined();
    expect(asked('hint', table({ ...hints, turn: 'b' })).tell).toBe('It’s not your turn.');
    expect(asked('hint', table(hints, [])).tell).toContain('Only players');
    expect(asked('hint', table({ ...hints, status: 'over' })).tell).toBe('The game is over.');
  });

  test('withdraws a request for a takeback when nothing else waits', () => {
    const asks = { offers: { draw: null, takeback: 'w', rematch: null } } as const;
    expect(asked('cancel', table(asks))).toEqual({ send: { t: 'takeback', do: 'decline' } });
    expect(asked('cancel', table(asks, ['w'], { premove: 'e2e4' }))).toEqual({ ahead: null });
    expect(asked('cancel', table(asks, ['b'])).tell).toBe('There’s nothing to cancel.');
  });

  test('plays moves', () => {
    expect(asked('Nf3')).toEqual({ play: 'g1f3' });
    expect(asked('d2d4')).toEqual({ play: 'd2d4' });
    expect(asked('e2').tell).toContain('not a legal move');
    expect(asked('d4', table({}, [])).tell).toContain('You’re a spectator');
    expect(asked('Springer Felix drei')).toEqual({ play: 'g1f3' });
    expect(asked('5254', table({}, ['w'], { legal: ['e2e4'], position: START, game: { ...GAME, position: START } }))).toEqual({ play: 'e2e4' });
    expect(asked('d 4')).toEqual({ play: 'd2d4' });
    expect(asked('n f3')).toEqual({ play: 'g1f3' });
    expect(answer('s f3', table(), { settings: { ...DEFAULTS, letters: 'de' }, confirming: undefined })).toEqual({ play: 'g1f3' });
    expect(asked('c 3').tell).toBe('c 3 is not a legal move.');
  });

  test('offers a draw with per move', () => {
    expect(asked('Nf3 (=)')).toEqual({ play: 'g1f3', draw: true });
  });

  test('names the moves that may be meant', () => {
    const position = '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1';
    const two = table({ position }, ['w'], { legal: ['b1d2', 'f3d2'] });
    const moves = 'knight from b1 to d2, knight from f3 to d2';
    expect(asked('Nd2', two)).toEqual({ fault: true, tell: `Nd2 could be ${moves}.` });
    expect(asked('claim Nd2', two)).toEqual({ fault: true, tell: `Nd2 could be ${moves}.` });
    const numbers: AccessibleGame = { ...two, telling: { ...DEFAULTS, tellMoves: 'notation', notation: 'iccf' } };
    const settings = { ...DEFAULTS, ...numbers.telling };
    expect(answer('Nd2', numbers, { settings, confirming: undefined }).tell).toBe('Nd2 could be 2142, 6342.');
  });

  test('asks for the time used', () => {
    expect(asked('used')).toEqual({ used: true });
    expect(asked('u', table({ clock: null })).tell).toBe('This game has no clock.');
  });

  test('b goes to the board', () => {
    expect(asked('b')).toEqual({ go: 'board' });
    expect(asked('b e4')).toEqual({ go: 'board', square: 'e4' });
  });

  test('resign is asked for twice, unless the person will not be asked', () => {
    expect(asked('resign')).toMatchObject({ confirm: 'resign' });
    expect(asked('resign', table(), 'resign')).toEqual({ send: { t: 'resign' } });
    expect(answer('resign', table(), { settings: { ...DEFAULTS, confirmResign: false }, confirming: undefined })).toEqual({
      send: { t: 'resign' },
    });
  });

  test('draw offers, and accepts', () => {
    expect(asked('draw')).toMatchObject({ confirm: 'draw' });
    expect(answer('draw', table(), { settings: DEFAULTS, confirming: 'draw' })).toEqual({ send: { t: 'draw', do: 'offer' } });
    expect(answer('draw', table(), { settings: { ...DEFAULTS, confirmDraw: false }, confirming: 'resign' })).toEqual({
      send: { t: 'draw', do: 'offer' },
    });
    expect(asked('draw', table(draw('b')))).toEqual({ send: { t: 'draw', do: 'accept' } });
    expect(asked('decline', table(draw('b')))).toEqual({ send: { t: 'draw', do: 'decline' } });
    expect(asked('draw', table(draw('w'))).tell).toContain('You offered a draw.');
  });

  test('only players can act, and only while the game is on', () => {
    for (const word of ['resign', 'draw', 'takeback', 'moretime', 'claim', 'abort']) {
      expect(asked(word, table({}, [])).tell).toBe('Only players can do that.');
      expect(asked(word, table({ status: 'over' })).tell).toBe('The game is over.');
    }
  });
});

describe('a move ahead of the turn', () => {
  const position = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2';
  /** The king may premove onto its own bishop, to recapture; that is not castling. */
  const moves = ['e1f1', 'e1g1', 'e1h1', 'f3e5', 'f3d4', 'b1c3', 'b1a3', 'h7h8q', 'h7h8r', 'h7h8b', 'h7h8n'];
  const waiting = (more: Partial<AccessibleGame> = {}) =>
    table({ turn: 'b', position }, ['w'], { legal: null, premoveOptions: () => ({ moves, position }), ...more });

  test.each([
    ['Nc3', 'b1c3'],
    ['nxe5', 'f3e5'],
    ['f3-d4', 'f3d4'],
    ['O-O', 'e1g1'],
    ['e1f1', 'e1f1'],
    ['h7h8=N', 'h7h8n'],
    ['h7h8', 'h7h8'],
  ])('%s is kept as %s', (text, ahead) => {
    expect(asked(text, waiting())).toEqual({ ahead });
  });

  test('is refused when nobody may, or no piece can', () => {
    expect(asked('Nc3', waiting({ premoveOptions: () => null }))).toEqual({ fault: true, tell: 'It’s not your turn.' });
    expect(asked('Nf6', waiting())).toEqual({ fault: true, tell: 'Nf6 is not a possible premove.' });
    const settings = { ...DEFAULTS, premove: false };
    const off = answer('Nc3', waiting({ premoveOptions: () => null }), { settings, confirming: undefined });
    expect(off.tell).toContain('premoves are off in your settings');
  });

  test('offers no draw', () => {
    expect(asked('Nc3 (=)', waiting())).toEqual({ fault: true, tell: 'You can only offer a draw with a move on your own turn.' });
  });

  test('goes for one who has moved and was not answered yet', () => {
    expect(asked('Nc3', waiting({ underway: 'd2d4', game: { ...GAME, turn: 'w' } }))).toEqual({ ahead: 'b1c3' });
  });

  test('is cancelled by Enter on nothing and by its word, and told with the state', () => {
    const set = waiting({ premove: 'b1c3' });
    expect(asked('', set)).toEqual({ ahead: null });
    expect(asked('cancel', set)).toEqual({ ahead: null });
    expect(asked('', waiting())).toEqual({});
    expect(asked('s', set).tell).toContain('Premove: knight from b1 to c3.');
  });

  test('waits while the legal moves are not told', () => {
    expect(asked('Nf3', table({}, ['w'], { legal: null }))).toEqual({ wait: true });
  });
});

describe('what waits for an answer', () => {
  test('the piece that a pawn becomes', () => {
    const asking = table({}, ['w'], { choosing: ['e7e8q', 'e7e8r', 'e7e8b', 'e7e8n'] });
    expect(asked('n', asking)).toEqual({ choose: 'n' });
    expect(asked('Queen', asking)).toEqual({ choose: 'q' });
    expect(asked('cancel', asking)).toMatchObject({ choose: null });
  });

  test('"play it?"', () => {
    const asking = table({}, ['w'], { confirming: 'g1f3' });
    expect(asked('yes', asking)).toEqual({ yes: true });
    expect(asked('no', asking)).toMatchObject({ yes: false });
    expect(asked('cancel', asking)).toMatchObject({ yes: false });
  });

  test.each(['draw', 'takeback', 'rematch'] as const)('the offer of a %s', (kind) => {
    const open = table({ offers: { ...GAME.offers, [kind]: 'b' }, status: kind === 'rematch' ? 'over' : 'live' });
    expect(tellOffers(open).join()).toContain(`Type ${kind} to accept, or decline.`);
    expect(asked(kind, open)).toEqual({ send: { t: kind, do: 'accept' } });
    expect(asked('accept', open)).toEqual({ send: { t: kind, do: 'accept' } });
    expect(asked('decline', open)).toEqual({ send: { t: kind, do: 'decline' } });
  });

  test('one of several is named', () => {
    const both = table({ offers: { draw: 'b', takeback: 'b', rematch: null } });
    expect(asked('accept', both).tell).toBe('Say which: accept draw, accept takeback.');
    expect(asked('decline takeback', both)).toEqual({ send: { t: 'takeback', do: 'decline' } });
    expect(asked('accept rematch', both).tell).toBe('There’s no such offer.');
  });

  test('who plays both sides answers for the other one', () => {
    const own = table(draw('w'), ['w', 'b']);
    expect(tellOffers(own)).toEqual(['White offers a draw. Type draw to accept, or decline.']);
    expect(asked('decline', own)).toEqual({ send: { t: 'draw', do: 'decline' } });
    expect(tellOffers(table(draw('w'), []))).toEqual(['White offers a draw.']);
  });
});

describe('claims', () => {
  test('against one who left wait for their time', () => {
    const wait = table({}, ['w'], { away_ms: 12_300 });
    expect(asked('claim win', wait).tell).toBe('Your opponent left. You can claim victory or a draw in 13 seconds.');
    const gone = table({ turn: 'b' }, ['w'], { away_ms: 0 });
    expect(asked('claim', gone).tell).toContain('Type claim win or claim draw');
    expect(asked('claim win', gone)).toEqual({ send: { t: 'claim', what: 'win' } });
    expect(asked('claim draw', gone)).toEqual({ send: { t: 'claim', what: 'draw' } });
  });

  test('of a draw are for one\u2019s own turn, with a move or without', () => {
    expect(asked('claim')).toEqual({ send: { t: 'draw', do: 'claim' } });
    expect(asked('claim draw')).toEqual({ send: { t: 'draw', do: 'claim' } });
    expect(asked('claim Springer f3')).toEqual({ send: { t: 'draw', do: 'claim', move: 'g1f3' } });
    expect(asked('claim Nf3')).toEqual({ send: { t: 'draw', do: 'claim', move: 'g1f3' } });
    expect(asked('claim', table({ turn: 'b' })).tell).toBe('You can only claim a draw on your own turn.');
  });
});

describe('one who plays both sides', () => {
  const held = { ...GAME.clock!, held: 'pause' };

  test('stops the clocks and lets them go on', () => {
    expect(asked('pause', table({}, ['w', 'b']))).toEqual({ send: { t: 'pause', on: true } });
    const paused = table({ clock: held }, ['w', 'b'], { legal: null });
    expect(asked('resume', paused)).toEqual({ send: { t: 'pause', on: false } });
    expect(asked('pause', paused).tell).toBe('Paused. Type resume to continue.');
    expect(asked('Nf3', paused)).toEqual({ fault: true, tell: 'Paused. Type resume to continue.' });
    expect(tellStanding(GAME, paused)).toEqual(['Paused. Type resume to continue.']);
    expect(tellStanding({ ...GAME, clock: held }, table())).toEqual(['Clocks running again.']);
  });

  test('has no other opponent to look for, and agrees to a rematch at once', () => {
    expect(asked('rematch', table({ status: 'over' }, ['w', 'b']))).toEqual({ go: 'rematch' });
    expect(asked('new', table({ status: 'over' }, ['w', 'b'])).tell).toContain('You played both sides');
    expect(asked('new', table({ status: 'over' }))).toEqual({ go: 'new' });
  });
});

describe('looking back', () => {
  const start = table({}, ['w'], { shown: 0, position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR' });

  test('goes through the moves and tells where one is', () => {
    expect(asked('back')).toEqual({ look: 1, tell: 'After White: e4' });
    expect(asked('forward', start)).toEqual({ look: 1, tell: 'After White: e4' });
    expect(asked('back', start)).toEqual({ look: 0, tell: 'Start of the game.' });
    expect(asked('live', start)).toEqual({ look: 2, tell: 'Current position. Black: e5' });
    expect(tellShown(GAME, 0, DEFAULTS)).toBe('Start of the game.');
  });

  test('is said of what is read from the board', () => {
    expect(asked('s 4', start).tell).toBe('Earlier position: 4: empty');
    expect(asked('p P', start).tell).toBe('Earlier position: white pawn: a2 b2 c2 d2 e2 f2 g2 h2');
  });
});
