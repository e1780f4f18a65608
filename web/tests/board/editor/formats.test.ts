/** Positions set up by hand and their text, in every game. */

import { describe, expect, it, test } from 'vitest';
import { formatOf } from '../../../src/board/editor/formats';
import { cleared, put, shift, withTurn, type PositionFormat, type Setup } from '../../../src/board/editor/setup';
import { pieceOf } from '../../../src/board/editor/setup-board';
import type { Piece } from '../../../src/notation/pieces';
import { gameOf, VARIANTS } from '../../../src/variants/registry';

const formatIn = async (variant: string): Promise<PositionFormat> => (await formatOf({ game: gameOf(variant).game, variant }))!;

/** Numbers from 0 to below 1, the same in every run (Mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Any pieces anywhere, either side to move, any of the possible castling rights and en passant squares. */
function randomSetup(format: PositionFormat, random: () => number): Setup {
  const { roles, lattice } = format.kind;
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  let setup = cleared(format, random() < 0.5 ? format.start : withTurn(format, format.start, one(['w', 'b'])));
  const share = random();
  for (const square of lattice.squares) {
    if (random() < share) setup = put(format, setup, square, { role: one(roles), color: one(['w', 'b']) });
  }
  for (const { right } of format.rights(setup)) setup = format.withRight(setup, right, random() < 0.5);
  return { ...setup, passant: one(['', ...format.passants(setup)]) };
}

const bySquare = ({ board, ...rest }: Setup) => ({ ...rest, board: [...board].sort(([a], [b]) => (a < b ? -1 : 1)) });

describe.each([...VARIANTS])('%s', (variant) => {
  it('writes its start position as the server does, and nothing is wrong with it', async () => {
    const format = await formatIn(variant);
    const text = format.write(format.start);
    expect(format.fault(text)).toBeNull();
    expect(bySquare(format.read(text) as Setup)).toEqual(bySquare(format.start));
  });

  it('reads any position that it writes', async () => {
    const format = await formatIn(variant);
    const random = numbers(VARIANTS.indexOf(variant) + 1);
    for (let n = 0; n < 300; n += 1) {
      const setup = randomSetup(format, random);
      const text = format.write(setup);
      const read = format.read(text);
      expect(bySquare(read as Setup)).toEqual(bySquare(setup));
      expect(format.write(read as Setup)).toBe(text);
      format.fault(text);
    }
  });

  it('keeps every other piece when one is moved, replaced or removed', async () => {
    const format = await formatIn(variant);
    const random = numbers(7);
    for (let n = 0; n < 50; n += 1) {
      const setup = randomSetup(format, random);
      const [from, to] = [...setup.board.keys()];
      if (from === undefined || to === undefined) continue;
      const moved = shift(format, setup, from, to);
      expect(moved.board.get(to)).toEqual(setup.board.get(from));
      expect(moved.board.size).toBe(setup.board.size - 1);
      expect(shift(format, setup, from, null).board.has(from)).toBe(false);
    }
  });

  it('says what is wrong with an empty board, and never fails on nonsense', async () => {
    const format = await formatIn(variant);
    expect(format.fault(format.write(cleared(format, format.start)))).not.toBeNull();
    for (const text of ['', ' ', '/', ':::', 'W:W:B', 'b w', '8/8/8/8/8/8/8/8 w KQkq e3', 'W:W1-99:B', '♔', 'x'.repeat(5000)]) {
      expect('fault' in format.read(text) || format.fault(text) !== null).toBe(true);
    }
  });
});

describe('castling', () => {
  it('is possible while king and rook stand at home, and goes with them', async () => {
    const format = await formatIn('standard');
    const rights = (setup: Setup) => format.rights(setup).map(({ right, on }) => (on ? right : `(${right})`)).join('');
    expect(rights(format.start)).toBe('KQkq');
    const without = format.withRight(format.start, 'Q', false);
    expect(format.write(without)).toContain(' w Kkq - ');
    expect(rights(without)).toBe('K(Q)kq');
    const moved = shift(format, format.start, 'h8', 'h6');
    expect(rights(moved)).toBe('KQq');
    expect(rights(shift(format, moved, 'h6', 'h8'))).toBe('KQ(k)q');
    expect(rights(shift(format, format.start, 'e1', 'e3'))).toBe('kq');
  });

  it('of Chess960 follows kings and rooks, and keeps the file of a rook that is named', async () => {
    const format = await formatIn('chess960');
    const setup = format.read('1k2r2r/8/8/8/8/8/8/RK4R1 w GAe - 0 1') as Setup;
    expect(format.rights(setup)).toEqual([
      { right: 'K', on: true },
      { right: 'Q', on: true },
      { right: 'k', on: true },
    ]);
    expect(format.write(format.withRight(setup, 'Q', false))).toContain(' w Ge - ');
  });

  it('does not exist in antichess', async () => {
    const format = await formatIn('antichess');
    expect(format.rights(format.start)).toEqual([]);
    expect(format.fault('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')).not.toBeNull();
  });
});

test('an en passant square is offered behind a pawn that may have moved two squares', async () => {
  const format = await formatIn('standard');
  const setup = format.read('4k3/8/8/3pP3/8/8/8/4K3 w - - 4 9') as Setup;
  expect(format.passants(setup)).toEqual(['d6']);
  expect(format.write({ ...setup, passant: 'd6' })).toBe('4k3/8/8/3pP3/8/8/8/4K3 w - d6 4 9');
  expect(format.write(withTurn(format, { ...setup, passant: 'd6' }, 'b'))).toBe('4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1');
});

describe('draughts', () => {
  it.each([
    ['W:W31-50:B1-20', null],
    ['b: B1-3, k20 : W 48,K46 .', null],
    ['W:WK1,31:B1', 'Two pieces stand on 1.'],
    ['W:W51:B1', '“51” isn’t a square of this board.'],
    ['W:W3:B6', 'White’s man on 3 must be a king.'],
    ['W:W31:B48', 'Black’s man on 48 must be a king.'],
    ['W:W:B6', 'White has no pieces.'],
    ['W:W20-41:B6', 'White has 22 pieces; at most 20 are allowed.'],
    ['W:W31:W6', 'Write a position as W:W31-50:B1-20,K28: side to move, then each side’s pieces, with K before kings.'],
  ])('of ten squares: %s', async (text, fault) => {
    expect((await formatIn('international')).fault(text)).toBe(fault);
  });

  it('keeps what Frisian draughts counts until a piece is changed', async () => {
    const format = await formatIn('frisian');
    const text = 'W:W31,K46:B5,K12:+212+346';
    const setup = format.read(text) as Setup;
    expect(format.write(setup)).toBe(text);
    expect(format.write(put(format, setup, '31', null))).toBe('W:WK46:B5,K12');
  });
});

test('the star needs all its pieces and rows', async () => {
  const format = await formatIn('ten');
  const start = format.write(format.start);
  expect(format.fault(start.replace(' w', ' b'))).toBeNull();
  expect(format.fault(format.write(put(format, format.start, 'a1', null)))).toBe('White has 9 pieces; each side needs 10.');
  expect(format.fault(start.replace('13/12', '12/12'))).toBe('Row 5 needs exactly 13 holes.');
  expect(format.fault('w w')).toContain('17 rows');
});

test('letters name pieces as in a FEN', async () => {
  const [chess, draughts, star] = await Promise.all(['standard', 'russian', 'fifteen'].map(formatIn));
  const piece = (role: string, color: string) => ({ role, color }) as Piece;
  expect(pieceOf(chess!.kind, 'N')).toEqual(piece('n', 'w'));
  expect(pieceOf(chess!.kind, 'q')).toEqual(piece('q', 'b'));
  expect(pieceOf(draughts!.kind, 'K')).toEqual(piece('d', 'w'));
  expect(pieceOf(draughts!.kind, 'm')).toEqual(piece('m', 'b'));
  expect(pieceOf(star!.kind, 'B')).toEqual(piece('o', 'b'));
  for (const key of ['x', 'Enter', 'F5', '']) expect(pieceOf(chess!.kind, key)).toBeNull();
});
