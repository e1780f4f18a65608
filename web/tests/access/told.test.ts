import { afterEach, describe, expect, test, vi } from 'vitest';
import { AbsenceNotices } from '../../src/access/absence-notices';
import { FirstMoveNotices } from '../../src/access/first-move-notices';
import { attackers, ray } from '../../src/access/lines';
import { forVoice, Speech } from '../../src/access/speech';
import { tellNewOffers, tellPlay, tellShown, tellStanding, tellTime } from '../../src/access/tell';
import { usedIn } from '../../src/access/time-used';
import { placement } from '../../src/notation/pieces';
import { forSpeech } from '../../src/notation/tell-move';
import { DEFAULTS } from '../../src/settings/settings';
import { draw, GAME, table } from './accessible-game';

describe('the time used', () => {
  const head = '[Event "?"]\n[White "{A}"]\n\n';

  test('is the sum of what the moves took, the first two apart', () => {
    const pgn = `${head}1. e4 {[%clk 0:03:00]} e5 2. Nf3 {[%emt 0:00:04] [%clk 0:02:58]} Nc6 {[%emt 0:00:01.5]} 3. Bb5 {[%emt 0:01:00]} *`;
    expect(usedIn(pgn, 'w')).toEqual({ w: { ms: 64_000, more: false }, b: { ms: 1_500, more: false } });
  });

  test('is more than that where a move is without its time', () => {
    const pgn = `${head}1... e5 2. Nf3 Nc6 {[%emt 0:00:02]} 3. Bb5 {held} a6 {[%emt 1:00:02]} 1/2-1/2`;
    expect(usedIn(pgn, 'b')).toEqual({ w: { ms: 0, more: true }, b: { ms: 3_604_000, more: false } });
  });
});

describe('what happened is told', () => {
  test('a move', () => {
    const after = table({ moves: [...GAME.moves, 'g1f3'], notation: [...GAME.notation, 'Nf3'], turn: 'b' });
    expect(tellPlay(GAME, after.game, DEFAULTS)).toEqual([{ text: 'White: knight f3' }]);
  });

  test('a move as it is written, or announced', () => {
    const game = { ...GAME, moves: [...GAME.moves, 'g1f3'], notation: [...GAME.notation, 'Nf3'], turn: 'b' as const };
    const told = (tellMoves: 'notation' | 'en' | 'de', more = {}) => tellPlay(GAME, game, { ...DEFAULTS, tellMoves, ...more });
    expect(told('en')).toEqual([{ text: 'White: knight Felix three' }]);
    expect(told('de')).toEqual([{ text: 'Weiß: Springer Felix drei', lang: 'de' }]);
    expect(told('notation', { letters: 'de', notation: 'long' })).toEqual([{ text: 'White: Sg1-f3' }]);
    expect(tellShown(game, 3, { ...DEFAULTS, tellMoves: 'de' })).toBe('Current position. White: knight f3');
  });

  test('an end, and what can be done then', () => {
    const after = table({ status: 'over', result: '0-1', reason: 'resignation' });
    expect(tellPlay(GAME, after.game, DEFAULTS)).toEqual([{ text: 'Game over: Black wins, resignation.' }]);
    expect(tellStanding(GAME, after)).toEqual(['Type rematch for a rematch, new for a new opponent.']);
    expect(tellStanding(GAME, { ...after, own: [] })).toEqual([]);
    expect(tellStanding(after.game, after)).toEqual([]);
  });

  test('offers, once', () => {
    const open = table(draw('b'));
    expect(tellNewOffers(GAME, open)).toEqual(['Your opponent offers a draw. Type draw to accept, or decline.']);
    expect(tellNewOffers(open.game, open)).toEqual([]);
  });

  test('nothing when only the clocks went on', () => {
    const after = table({ clock: { w: 1, b: 1, run: 'w', at: 5 } });
    expect([...tellPlay(GAME, after.game, DEFAULTS), ...tellNewOffers(GAME, after), ...tellStanding(GAME, after)]).toEqual([]);
  });

  test('an opponent who left: at once, at a few marks, when he can be claimed against, when he is back', () => {
    const absence = new AbsenceNotices();
    const told = [null, 80_000, 79_000, 60_000, 59_000, 30_100, 30_000, 9_900, 9_000, 0, 0, null, null].flatMap(
      (left) => absence.notice(left)?.replace(/^.* in |^Your opponent /, '') ?? [],
    );
    expect(told).toEqual([
      '80 seconds.',
      '60 seconds.',
      '30 seconds.',
      '10 seconds.',
      'left. Type claim win or claim draw, or wait.',
      'is back.',
    ]);
  });

  test('the time for a first move: when it begins, to the player at two marks, and when it begins again', () => {
    const heard = (own: ('w' | 'b')[]) => {
      const notices = new FirstMoveNotices();
      const white = [20_000, 19_900, 10_000, 9_900, 5_000, 1_000].map((left) => notices.notice({ g: 'g', turn: 'w' }, own, left));
      const black = [15_000, 14_900, 20_000, null].map((left) => notices.notice({ g: 'g', turn: 'b' }, own, left));
      return [...white, ...black].filter((text) => text !== null);
    };
    const own = (n: number) => `You have ${n} seconds to make your first move.`;
    const other = (side: string, n: number) => `${side} has ${n} seconds to make the first move.`;
    expect(heard(['w'])).toEqual([own(20), own(10), own(5), other('Black', 15)]);
    expect(heard(['b'])).toEqual([other('White', 20), own(15)]);
    expect(heard([])).toEqual([other('White', 20), other('Black', 15)]);
    const again = new FirstMoveNotices();
    expect([8_000, 20_000].map((left) => again.notice({ g: 'g', turn: 'w' }, ['b'], left))).toEqual([other('White', 8), other('White', 20)]);
  });
});

describe('the lines of the board', () => {
  test('go to the edge, clockwise from straight up', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((direction) => ray('b2', direction).join(' '))).toEqual([
      'b3 b4 b5 b6 b7 b8',
      'c3 d4 e5 f6 g7 h8',
      'c2 d2 e2 f2 g2 h2',
      'c1',
      'b1',
      'a1',
      'a2',
      'a3',
    ]);
  });

  test.each([
    ['of every kind', '3rk3/8/8/1b1p4/8/2N1N3/3R4/3K4', 'd5', 'c3 d2 d8 e3'],
    ['but not through others', '8/3r4/3p4/3P4/8/8/3R4/3Q4', 'd5', 'd2'],
    ['pawns slantwise and forwards', '8/8/2p1p3/3k4/2P1P3/8/8/8', 'd5', 'c4 c6 e4 e6'],
    ['pawns not backwards', '8/8/2P1P3/3k4/2p1p3/8/8/8', 'd5', ''],
    ['kings from beside', '8/8/8/8/8/8/1K6/8', 'a1', 'b2'],
    ['none', '8/8/8/8/8/8/8/k7', 'h8', ''],
  ])('have attackers, %s', (_, fen, square, from) => {
    expect(attackers(placement(fen), square).join(' ')).toBe(from);
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

describe('the voice', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test('speaks each sentence in its language', () => {
    const spoken: string[] = [];
    class Utterance {
      lang = '';
      constructor(readonly text: string) {}
    }
    vi.stubGlobal('SpeechSynthesisUtterance', Utterance);
    vi.stubGlobal('speechSynthesis', { speak: ({ lang, text }: Utterance) => spoken.push(`${lang}: ${text}`), cancel: () => undefined });
    new Speech().say([{ text: 'Weiß: Bauer Eva vier', lang: 'de' }, { text: 'Black: e5' }]);
    expect(spoken).toEqual(['de: Weiß: Bauer Eva vier', 'en: Black: E 5']);
  });

  test('reads nothing that is only written', () => {
    expect(forSpeech({ ...DEFAULTS, tellMoves: 'notation' }).tellMoves).toBe('words');
    expect(forSpeech({ ...DEFAULTS, tellMoves: 'de' }).tellMoves).toBe('de');
  });
});
