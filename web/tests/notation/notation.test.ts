import { describe, expect, test } from 'vitest';
import type { Letters } from '../../src/notation/notation.gen';
import { inWords, pieceName, placement } from '../../src/notation/pieces';
import { isComplete, readMove, type Reading } from '../../src/notation/read-move';
import { inLetters, writeMove, writePlain } from '../../src/notation/write-move';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const FIRST = [...'abcdefgh']
  .flatMap((file) => [`${file}2${file}3`, `${file}2${file}4`])
  .concat(['b1a3', 'b1c3', 'g1f3', 'g1h3']);

const game = (position: string, variant = 'standard') => ({ position, variant });
const read = (text: string, legal: string[], position: string, letters?: Letters, variant?: string) =>
  readMove(text, legal, game(position, variant), letters);
const found = (reading: Reading) => ('move' in reading ? reading.move : reading.fault);

describe('a typed move', () => {
  test.each([
    ['e4', 'e2e4'],
    ['E4', 'e2e4'],
    ['e2e4', 'e2e4'],
    ['e2-e4', 'e2e4'],
    ['e2 e4', 'e2e4'],
    ['Nf3', 'g1f3'],
    ['nf3', 'g1f3'],
    ['NF3', 'g1f3'],
    ['Ng1-f3', 'g1f3'],
    ['♘f3!', 'g1f3'],
    ['Nf3+', 'g1f3'],
    ['Nd2', 'illegal'],
    ['e5', 'illegal'],
    ['e2e5', 'illegal'],
    ['O-O', 'illegal'],
    ['hello', 'unreadable'],
    ['', 'unreadable'],
  ])('%s is %s', (text, meant) => {
    expect(found(read(text, FIRST, START))).toBe(meant);
  });

  test('is read in the letters of another language, and in English all the same', () => {
    expect(found(read('Sf3', FIRST, START, 'de'))).toBe('g1f3');
    expect(found(read('sf3', FIRST, START, 'de'))).toBe('g1f3');
    expect(found(read('Nf3', FIRST, START, 'de'))).toBe('g1f3');
    expect(found(read('Cf3', FIRST, START, 'fr'))).toBe('g1f3');
  });

  test('with a small b is the pawn where a pawn can, else the bishop', () => {
    const position = '4k3/8/8/2p5/1P6/8/8/B3K3 w - - 0 1';
    expect(found(read('bxc5', ['b4c5', 'a1c3'], position))).toBe('b4c5');
    expect(found(read('bc3', ['b4c5', 'a1c3'], position))).toBe('a1c3');
    expect(found(read('bc', ['b4c5', 'a1c3'], position))).toBe('b4c5');
    expect(found(read('c5', ['b4c5', 'a1c3'], position))).toBe('illegal');
  });

  test('that two pieces can make wants to know which', () => {
    const position = '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1';
    const legal = ['b1d2', 'f3d2'];
    expect(read('Nd2', legal, position)).toEqual({ fault: 'ambiguous', moves: legal });
    expect(found(read('Nbd2', legal, position))).toBe('b1d2');
    expect(found(read('N3d2', legal, position))).toBe('f3d2');
    expect(found(read('nf3d2', legal, position))).toBe('f3d2');
  });

  test('of a promoting pawn wants to know to what', () => {
    const position = '1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1';
    const legal = [...'qrbn'].flatMap((piece) => [`a7a8${piece}`, `a7b8${piece}`]);
    expect(read('a8', legal, position)).toMatchObject({ fault: 'promotion' });
    expect(read('a7a8', legal, position)).toMatchObject({ fault: 'promotion' });
    for (const text of ['a8=N', 'a8N', 'a8n', 'a8(n)', 'a7a8n', 'a7a8=N']) expect(found(read(text, legal, position))).toBe('a7a8n');
    expect(found(read('axb8=Q', legal, position))).toBe('a7b8q');
    expect(found(read('a8S', legal, position, 'de'))).toBe('a7a8n');
  });

  test('castles by either writing, in Chess960 too', () => {
    const both = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    const legal = ['e1g1', 'e1c1', 'e1d1', 'e1f1'];
    for (const text of ['O-O', 'o-o', '0-0', '00', 'e1g1', 'e1h1']) expect(found(read(text, legal, both))).toBe('e1g1');
    for (const text of ['O-O-O', '0-0-0', 'ooo']) expect(found(read(text, legal, both))).toBe('e1c1');
    expect(found(read('Kg1', legal, both))).toBe('illegal');
    const shuffled = '4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1';
    expect(found(read('O-O', ['c1b1', 'c1h1', 'c1d1'], shuffled, undefined, 'chess960'))).toBe('c1h1');
    expect(found(read('O-O-O', ['c1b1', 'c1h1', 'c1d1'], shuffled, undefined, 'chess960'))).toBe('c1b1');
  });
});

test('a move is whole when nothing legal goes on from it', () => {
  expect(isComplete('Nf3', FIRST, game(START))).toBe(true);
  expect(isComplete('e2e4', FIRST, game(START))).toBe(true);
  expect(isComplete('e', FIRST, game(START))).toBe(false);
  const castles = game('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');
  expect(isComplete('O-O', ['e1g1', 'e1c1'], castles)).toBe(false);
  expect(isComplete('O-O-O', ['e1g1', 'e1c1'], castles)).toBe(true);
  // `b4` may still become the bishop's `bb4`? No: but `b2` may go on to `b2b4`.
  expect(isComplete('b2', ['b2b4', 'b2b3'], game(START))).toBe(false);
});

test('a move in numbers or small letters is whole as well, words are not', () => {
  expect(isComplete('5254', FIRST, game(START))).toBe(true);
  expect(isComplete('525', FIRST, game(START))).toBe(false);
  expect(isComplete('sf3', FIRST, game(START), 'de')).toBe(true);
  expect(isComplete('Eva vier', FIRST, game(START))).toBe(false);
  expect(isComplete('b e4', ['b1e4'], game('4k3/8/8/8/8/8/8/1B2K3 w - - 0 1'))).toBe(false);
});

test.each([
  ['e4', 'e4'],
  ['Nf3', 'knight f3'],
  ['Nbxd7+', 'knight b takes d7, check'],
  ['exd8=Q#', 'e takes d8 promotes to queen, checkmate'],
  ['O-O', 'castles short'],
  ['O-O-O+', 'castles long, check'],
])('%s is told as "%s"', (san, words) => {
  expect(inWords(san)).toBe(words);
});

test('the score in other letters', () => {
  expect(inLetters('Nbxd7+', 'de')).toBe('Sbxd7+');
  expect(inLetters('e8=Q', 'fr')).toBe('e8=D');
  expect(inLetters('Kd1', 'figurine')).toBe('♔d1');
  expect(inLetters('O-O', 'de')).toBe('O-O');
  expect(inLetters('Kxe2+', 'ru')).toBe('Крxe2+');
});

test('a move that is in no score', () => {
  const board = placement('1n2k3/P7/8/8/8/8/8/1N2K3 w - - 0 1');
  expect(writePlain('b1c3', board, { letters: 'de', notation: 'short' })).toBe('Sb1–c3');
  expect(writePlain('a7a8q', board, { letters: 'de', notation: 'long' })).toBe('a7–a8=D');
  expect(writePlain('a7a8q', board, { letters: 'de', notation: 'iccf' })).toBe('17181');
});

test.each(['short', 'long', 'iccf'] as const)('a move of another game is written as it is (%s)', (notation) => {
  for (const move of ['32-28', '47x33x24', 'a1-a3', 'c3xe5', '11x18']) {
    expect(writeMove(move, move, { letters: 'de', notation })).toBe(move);
    expect(writePlain(move, new Map(), { letters: 'de', notation })).toBe(move);
  }
});

test('a position as its pieces', () => {
  const board = placement(START);
  expect(board.size).toBe(32);
  expect(pieceName(board.get('b8')!)).toBe('black knight');
  expect(board.get('e4')).toBeUndefined();
});
