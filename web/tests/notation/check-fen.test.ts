import { expect, test } from 'vitest';
import { readPosition } from '../../src/notation/check-fen';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

test.each([
  ['the start', START, START],
  ['blanks around it', `  ${START.replace(' w ', '   w ')} `, START],
  ['only the board', '4k3/8/8/8/8/8/4P3/4K3', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'],
  ['without the numbers', '4k3/8/8/8/8/8/4P3/4K3 b - -', '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1'],
  ['after a pawn’s two steps', '4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1', '4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1'],
  ['the side to move in check', '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1', '4k3/8/8/8/8/8/4R3/4K3 b - - 0 1'],
])('%s is read', (_name, text, fen) => {
  expect(readPosition(text, false)).toEqual({ fen, turn: fen.split(' ')[1] });
});

test('in Chess960 kings and rooks are at home where they stand', () => {
  const fen = '1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1';
  expect(readPosition(fen, true)).toMatchObject({ fen });
  expect(readPosition(fen.replace('KQkq', 'GBgb'), true)).toHaveProperty('fen');
  expect(readPosition(fen.replace('KQkq', 'HBgb'), true)).toEqual({ fault: 'fen.rooks' });
  expect(readPosition(fen, false)).toEqual({ fault: 'fen.rooks' });
});

test('rights may be named by the rooks’ files in both variants', () => {
  const usual = 'r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1';
  expect(readPosition(usual, false)).toMatchObject({ fen: usual });
  expect(readPosition(usual, true)).toMatchObject({ fen: usual });
  expect(readPosition(usual.replace('HAha', 'GAha'), false)).toEqual({ fault: 'fen.rooks' });
});

test.each([
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w KC - 0 1', null],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w KQ - 0 1', null],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w GB - 0 1', null],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w BC - 0 1', 'fen.castling'],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w KG - 0 1', 'fen.castling'],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w KQB - 0 1', 'fen.castling'],
  ['4k3/8/8/8/8/8/8/1RR1K1R1 w D - 0 1', 'fen.rooks'],
  ['4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1', 'fen.rooks'],
] as const)('in Chess960 the rights of %s: %s', (fen, fault) => {
  expect(readPosition(fen, true)).toEqual(fault === null ? { fen, turn: 'w' } : { fault });
});

test.each([
  ['', 'fen.board'],
  ['nonsense', 'fen.board'],
  ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1', 'fen.board'],
  ['rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'fen.board'],
  ['rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'fen.board'],
  ['4k3/8/8/8/8/8/8/8 w - - 0 1', 'fen.kings'],
  ['4k3/8/8/8/8/8/8/K3K3 w - - 0 1', 'fen.kings'],
  ['4k3/8/8/8/8/PPP5/PPPPPP2/4K3 w - - 0 1', 'fen.many'],
  ['4k2P/8/8/8/8/8/8/4K3 w - - 0 1', 'fen.pawns'],
  ['4k3/8/8/8/8/8/4P3/4K3 x - - 0 1', 'fen.turn'],
  ['4k3/8/8/8/8/8/4P3/4K3 w KK - 0 1', 'fen.castling'],
  ['4k3/8/8/8/8/8/4P3/4K3 w kK - 0 1', 'fen.castling'],
  ['4k3/8/8/8/8/8/4P3/4K3 w K - 0 1', 'fen.rooks'],
  ['4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1', 'fen.passant'],
  ['4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1', 'fen.passant'],
  ['4k3/8/8/8/8/8/4P3/4K3 w - - x 1', 'fen.numbers'],
  ['4k3/8/8/8/8/8/4P3/4K3 w - - 0 0', 'fen.numbers'],
  ['4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 more', 'fen.parts'],
  ['4k3/8/8/8/8/8/4R3/4K3 w - - 0 1', 'fen.check'],
  ['4k3/3P4/8/8/8/8/8/4K3 w - - 0 1', 'fen.check'],
  ['4k3/8/5N2/8/8/8/8/4K3 w - - 0 1', 'fen.check'],
  ['4k3/8/8/1B6/8/8/8/4K3 w - - 0 1', 'fen.check'],
  ['8/8/8/8/8/8/4k3/4K3 w - - 0 1', 'fen.check'],
])('%s is refused: %s', (text, fault) => {
  expect(readPosition(text, false)).toEqual({ fault });
});

test.each([
  ['7k/8/8/8/8/8/8/K1K5 w - - 0 1', null],
  ['7n/8/8/8/8/8/4q3/4K3 w - - 0 1', null],
  ['8/8/8/8/8/8/4p3/8 b - - 0 1', null],
  ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', 'fen.rooks'],
  ['4k3/8/8/8/8/8/8/P7 w - - 0 1', 'fen.pawns'],
])('where kings are plain pieces %s is read: %s', (text, fault) => {
  expect(readPosition(text, false, true)).toEqual(fault === null ? { fen: text, turn: text.split(' ')[1] } : { fault });
});

test('what stands between takes a check away', () => {
  expect(readPosition('4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1', false)).toHaveProperty('fen');
});
