import { describe, expect, it, vi } from 'vitest';
import { fenOf, played } from '../../src/board/chess/position';
import { material } from '../../src/board/material';
import { Replay } from '../../src/board/replay';
import { LegalMovesTimeout } from '../../src/game/play/legal-moves-timeout';
import { OpponentAbsence } from '../../src/game/play/opponent-absence';
import { PendingMove } from '../../src/game/play/pending-move';
import { PlyNavigation } from '../../src/game/replay/ply-navigation';
import { digits, low_ms } from '../../src/game/view/clock-face';
import { countGame, matchScore } from '../../src/game/view/match-score';
import type { GameSnapshot } from '../../src/net/protocol';
import { placement } from '../../src/notation/pieces';
import { SNAPSHOT } from '../state/snapshot';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

const game = (more: object): GameSnapshot => ({ ...SNAPSHOT, g: 'one', status: 'live', ...more });

describe('a move played over again', () => {
  it.each([
    ['a capture', '8/8/8/3p4/4P3/8/8/8', 'e4d5', '8/8/8/3P4/8/8/8/8'],
    ['en passant', '8/8/8/3pP3/8/8/8/8', 'e5d6', '8/8/3P4/8/8/8/8/8'],
    ['a promotion', '1r6/P7/8/8/8/8/8/8', 'a7b8n', '1N6/8/8/8/8/8/8/8'],
    ['castling by two steps', '8/8/8/8/8/8/8/R3K2R', 'e1c1', '8/8/8/8/8/8/8/2KR3R'],
    ['king takes rook', 'r3k2r/8/8/8/8/8/8/8', 'e8h8', 'r4rk1/8/8/8/8/8/8/8'],
    ['castling with king and rook changing places', '8/8/8/8/8/8/8/5KR1', 'f1g1', '8/8/8/8/8/8/8/5RK1'],
    ['castling without a step of the king', '8/8/8/8/8/8/8/1RK5', 'c1b1', '8/8/8/8/8/8/8/2KR4'],
    ['a king that takes', '8/8/8/8/8/8/5r2/6K1', 'g1f2', '8/8/8/8/8/8/5K2/8'],
  ])('%s', (_what, before, move, after) => {
    expect(fenOf(played(placement(before), move))).toBe(after);
  });
});

describe('Replay', () => {
  const moves = ['e2e4', 'e7e5', 'g1f3'];

  it('knows every position of the game', () => {
    const replay = new Replay(null);
    expect(fenOf(replay.at(0, moves))).toBe(START);
    expect(fenOf(replay.at(3, moves))).toBe('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  });

  it('shows the positions that cannot be replayed as they are given', () => {
    const replay = new Replay(null);
    const given = '8/8/8/8/8/8/8/K6k w - - 0 3';
    expect(fenOf(replay.at(2, moves, [], [[2, given]]))).toBe('8/8/8/8/8/8/8/K6k');
    expect(fenOf(replay.at(1, moves, [], [[2, given]]))).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  });

  it('forgets what was taken back', () => {
    const replay = new Replay(null);
    replay.at(3, moves);
    expect(fenOf(replay.at(3, ['e2e4', 'e7e5', 'b1c3']))).toBe('rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR');
    expect(fenOf(replay.at(1, ['d2d4']))).toBe('rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR');
  });
});

it('counts who has more on the board', () => {
  expect(material(placement(START), placement(START))).toEqual({ w: { more: [], ahead: 0 }, b: { more: [], ahead: 0 } });
  const uneven = material(placement('4k3/pp6/8/8/8/8/8/R3K1N1'), new Map());
  expect(uneven.w).toEqual({ more: ['r', 'n'], ahead: 6 });
  expect(uneven.b).toEqual({ more: ['p', 'p'], ahead: 0 });
});

it('does not count what one side had more of at the start', () => {
  const start = placement('1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
  expect(material(start, start)).toEqual({ w: { more: [], ahead: 0 }, b: { more: [], ahead: 0 } });
  expect(material(placement('1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR'), start).b).toEqual({ more: ['r'], ahead: 5 });
});

describe('Looking', () => {
  it('stays where the person went while the game goes on, and comes back to live', () => {
    const looking = new PlyNavigation(() => undefined);
    expect(looking.press('ArrowLeft', 4)).toBe(true);
    expect(looking.ply(5)).toBe(3);
    looking.press('Home', 5);
    expect(looking.ply(5)).toBe(0);
    looking.press('ArrowLeft', 5);
    expect(looking.ply(5)).toBe(0);
    looking.press('End', 5);
    expect(looking.isLive(6)).toBe(true);
    expect(looking.press('x', 6)).toBe(false);
  });
});

describe('Hand', () => {
  const promotions = ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'];

  it('asks which piece, unless it is to be a queen', () => {
    const send = vi.fn();
    const hand = new PendingMove(send);
    hand.drop(promotions, { queen: false, confirm: false });
    expect(hand.choosing).toEqual(promotions);
    expect(hand.choose(null, false)).toBe(false);
    expect(send).not.toHaveBeenCalled();
    hand.drop(promotions, { queen: false, confirm: false });
    hand.choose('n', false);
    hand.drop(promotions, { queen: true, confirm: false });
    expect(send.mock.calls).toEqual([['a7a8n'], ['a7a8q']]);
  });

  it('sends a move that is asked about only after a yes', () => {
    const send = vi.fn();
    const hand = new PendingMove(send);
    hand.drop(['e2e4'], { queen: false, confirm: true });
    expect(hand.shownMove).toBe('e2e4');
    hand.answer(false);
    expect(hand.shownMove).toBeNull();
    hand.play('d2d4', true);
    hand.answer(true);
    expect(send.mock.calls).toEqual([['d2d4']]);
  });
});

it('misses the legal moves after two seconds of waiting, and again after two more', () => {
  const overdue = new LegalMovesTimeout();
  const asked = [0, 1_900, 2_100, 2_200, 4_100, 4_300].map((now) => overdue.isExpired(true, now));
  expect(asked).toEqual([false, false, true, false, false, true]);
  expect([4_400, 9_000].map((now) => overdue.isExpired(now < 5_000, now))).toEqual([false, false]);
});

describe('Departure', () => {
  const gone = (more: object = {}) => game({ players: { w: { online: true }, b: { online: false } }, ...more });

  it('counts down from when the server said how long', () => {
    const departure = new OpponentAbsence();
    expect(departure.left_ms(0)).toBeNull();
    const told = { w: null, b: 10_000 };
    departure.update(gone(), told, 'b', 1_000);
    departure.update(gone(), told, 'b', 4_000);
    expect(departure.left_ms(4_000)).toBe(7_000);
    expect(departure.left_ms(20_000)).toBe(0);
    departure.update(gone(), { w: null, b: 80_000 }, 'b', 20_000);
    expect(departure.left_ms(21_000)).toBe(79_000);
    departure.update(game({ players: { w: { online: true }, b: { online: true } } }), { w: null, b: null }, 'b', 22_000);
    expect(departure.left_ms(22_000)).toBeNull();
  });

  it('gives nothing to claim before both have moved, nor to a spectator', () => {
    const departure = new OpponentAbsence();
    departure.update(gone({ status: 'created' }), { w: null, b: 0 }, 'b', 0);
    expect(departure.left_ms(99_000)).toBeNull();
    departure.update(gone(), { w: null, b: 0 }, null, 0);
    expect(departure.left_ms(99_000)).toBeNull();
  });

  it('gives a simul to claim from its opening on', () => {
    const departure = new OpponentAbsence();
    departure.update(gone({ status: 'created', simul: 's1' }), { w: null, b: 5_000 }, 'b', 0);
    expect(departure.left_ms(1_000)).toBe(4_000);
  });
});

it('keeps the score of two people over their games, each counted once', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const first = game({ status: 'over', result: '1-0' });
  expect(matchScore(storage, first, 'w')).toBeNull();
  countGame(storage, first);
  countGame(storage, first);
  const turned = { w: { user: { id: 'ben' } }, b: { user: { id: 'anna' } } };
  const second = game({ g: 'two', players: turned });
  expect(matchScore(storage, second, 'w')).toBe('0–1');
  countGame(storage, game({ g: 'two', players: turned, status: 'over', result: '1/2-1/2' }));
  expect(matchScore(storage, second, 'b')).toBe('1½–½');
  expect(matchScore(storage, game({ g: 'three', variant: 'russian' }), 'w')).toBeNull();
});

it('tells the score of a row of rematches as the server has it', () => {
  const nothing = { getItem: () => null, setItem: () => undefined };
  const match = { games: 3, w: 2, b: 1 };
  expect(matchScore(nothing, game({ match }), 'w')).toBe('2–1');
  expect(matchScore(nothing, game({ match, status: 'over', result: '1/2-1/2' }), 'b')).toBe('1½–2½');
  expect(matchScore(nothing, game({ match, status: 'over', result: '*', reason: 'aborted' }), 'b')).toBe('1–2');
});

it.each([
  [{ base_s: 60, inc_s: 0 }, 10_000],
  [{ base_s: 180, inc_s: 2 }, 22_500],
  [{ base_s: 1800, inc_s: 20 }, 60_000],
  [{ days: 2 }, 0],
  [null, 0],
])('calls the time of %o low below %i ms', (tc, ms) => {
  expect(low_ms(tc)).toBe(ms);
});

describe('the digits of a clock', () => {
  it.each([
    ['never', 10_000, '0:10'],
    ['never', 9_999, '0:09'],
    ['never', 900, '0:00'],
    ['low', 9_999, '0:09.9'],
    ['low', 65_400, '1:05'],
    ['always', 65_400, '1:05.4'],
    ['always', 9_900, '0:09.9'],
  ] as const)('with tenths %s: %i ms', (tenths, ms, text) => {
    expect(digits(ms, tenths)).toBe(text);
  });
});
