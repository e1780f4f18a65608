import { expect, test } from 'vitest';
import { fenOf } from '../../src/board/chess/position';
import { askedOf } from '../../src/imports/filter';
import { glyph, glyphName, isOfMove } from '../../src/imports/glyphs';
import { comments, inText } from '../../src/imports/moves';
import { Score, step } from '../../src/imports/score';
import { size } from '../../src/imports/size';
import { dated, known, named } from '../../src/imports/tags';
import type { ImportedLine, ImportedMove } from '../../src/net/protocol';

const WRITING = { letters: 'en', notation: 'short' } as const;

const move = (uci: string, san: string, more: Partial<ImportedMove> = {}): ImportedMove => ({ move: uci, san, ...more });

const c4 = move('c2c4', 'c4');
const d4 = move('d2d4', 'd4', { variations: [{ moves: [c4] }] });
const nf6 = move('g8f6', 'Nf6');
const e4 = move('e2e4', 'e4', { clock: 60_000, nags: [1, 14], variations: [{ moves: [d4, nf6] }] });
const e5 = move('e7e5', 'e5', { clock: 59_000, draw: true });
const nf3 = move('g1f3', 'Nf3', { clock: 58_000, comments: ['quiet'] });
const LINE: ImportedLine = { moves: [e4, e5, nf3] };

test('every move knows where it stands, in variations of variations too', () => {
  const score = new Score(null, LINE);
  const [main, first, second] = [e4, d4, c4].map((one) => score.after(one));
  expect(score.start.next).toEqual([main, first, second]);
  expect(score.after(nf6).parent).toBe(first);
  expect([e4, e5, nf3, d4, nf6].map((one) => score.number(score.after(one)))).toEqual(['1.', '1…', '2.', '1.', '1…']);
  expect(fenOf(score.board(score.after(nf6)))).toBe('rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR');
  expect(fenOf(score.board(score.start))).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
});

test('keys go along the line and to what stands beside it', () => {
  const score = new Score(null, LINE);
  const at = (one: ImportedMove) => score.after(one);
  expect(step(score, score.start, 'ArrowRight')).toBe(at(e4));
  expect(step(score, at(e4), 'ArrowDown')).toBe(at(d4));
  expect(step(score, at(d4), 'ArrowDown')).toBe(at(c4));
  expect(step(score, at(d4), 'ArrowUp')).toBe(at(e4));
  expect(step(score, at(nf6), 'ArrowLeft')).toBe(at(d4));
  expect(step(score, at(e4), 'End')).toBe(at(nf3));
  expect(step(score, at(nf3), 'Home')).toBe(score.start);
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'x']) expect(step(score, score.start, key)).toBeNull();
  expect(step(score, at(nf3), 'ArrowRight')).toBeNull();
});

test('clocks are those of the last moves on the way', () => {
  const score = new Score(null, LINE);
  expect(score.clocks(score.start)).toEqual({ w: null, b: null });
  expect(score.clocks(score.after(e4))).toEqual({ w: 60_000, b: null });
  expect(score.clocks(score.after(nf3))).toEqual({ w: 58_000, b: 59_000 });
  expect(score.clocks(score.after(nf6))).toEqual({ w: null, b: null });
});

test('a game from a position counts from there, and a turn may be passed', () => {
  const passed = move('0000', '--');
  const kd7 = move('e8d7', 'Kd7');
  const score = new Score('4k3/8/8/8/8/8/8/4K3 b - - 0 30', { moves: [kd7, passed] });
  expect([kd7, passed].map((one) => inText(score, score.after(one), WRITING))).toEqual(['30… Kd7', '31. passes']);
  expect(fenOf(score.board(score.after(passed)))).toBe('8/3k4/8/8/8/8/8/4K3');
  expect([kd7, passed].map((one) => score.turn(score.after(one)))).toEqual(['w', 'b']);
});

test('Chess960 castles with the rook it names', () => {
  const castles = move('b1c1', 'O-O');
  const score = new Score('4k3/8/8/8/8/8/8/1KR5 w K - 0 1', { moves: [castles] });
  expect(fenOf(score.board(score.after(castles)))).toBe('4k3/8/8/8/8/8/8/5RK1');
});

test('a long game is no deep one', () => {
  const moves = Array.from({ length: 5000 }, (_, ply) =>
    move(['g1f3', 'g8f6', 'f3g1', 'f6g8'][ply % 4]!, ['Nf3', 'Nf6', 'Ng1', 'Ng8'][ply % 4]!),
  );
  const score = new Score(null, { moves });
  const end = score.end(score.start);
  expect(end.ply).toBe(5000);
  expect(fenOf(score.board(end))).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
});

test('signs stand at the move, the others apart, and all have words', () => {
  const score = new Score(null, LINE);
  expect(inText(score, score.after(e4), WRITING)).toBe('1. e4!');
  expect([1, 14, 255].map(isOfMove)).toEqual([true, false, false]);
  expect([3, 14, 255].map(glyph)).toEqual(['!!', '+=', '$255']);
  expect([3, 255].map(glyphName)).toEqual(['brilliant move', 'glyph 255']);
});

test('comments are told without what only programs read', () => {
  expect(comments(['[%cal Ge2e4,Rd7d5] the  start', '[%eval 0.3]', 'and on'])).toBe('the start and on');
  expect(comments(undefined)).toBe('');
});

test.each([
  [undefined, ''],
  ['?', ''],
  ['????.??.??', ''],
  ['-', ''],
  ['London', 'London'],
])('of %s is known “%s”', (text, shown) => {
  expect(known(text)).toBe(shown);
});

test('a date is told as far as it is known', () => {
  expect(['1997.05.11', '1997.??.??', '1997.05.??', '????.??.??'].map(dated)).toEqual(['1997.05.11', '1997', '1997.05', '']);
});

test('a player is told with his rating, or as unknown', () => {
  expect(named({ name: 'Kasparov, G', elo: 2785 })).toBe('Kasparov, G (2785)');
  expect(named({ name: '?', elo: null })).toBe('unknown');
});

test.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [1024 * 1024 - 1, '1024 kB'],
  [3.57 * 1024 * 1024, '3.5 MB'],
  [64 * 1024 * 1024, '64 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

test('a list is asked for by what can be asked for', () => {
  expect(askedOf(new URLSearchParams('q=%20Tal%20&result=1-0'))).toEqual({ q: 'Tal', result: '1-0' });
  expect(askedOf(new URLSearchParams('q=&result=2-0'))).toEqual({});
});
