/** Draughts and the star in words. */

import { describe, expect, it } from 'vitest';
import { tellSide, tellState, tellUci } from '../../src/access/tell';
import { groundOf as draughts } from '../../src/board/draughts/ground';
import { groundKind } from '../../src/board/ground/kind';
import { material } from '../../src/board/material';
import { groundOf as star } from '../../src/board/star/ground';
import { inWords } from '../../src/notation/pieces';
import { tellNotation } from '../../src/notation/tell-move';
import { DEFAULTS } from '../../src/settings/settings';
import { asked, table } from './accessible-game';

const kind = groundKind(draughts('international'));

function atBoard(more: Partial<Parameters<typeof table>[2]> = {}) {
  const change = { game: 'draughts', variant: 'international', moves: ['32-28', '19-23'], notation: ['32-28', '19-23'], position: 'W:W31,33-50,K28:B1-18,20,K23' };
  const legal = ['28x19', '33-29', '47x33x24', '47x42x24'];
  return table(change, ['w'], { kind, legal, ...more });
}

describe('a move', () => {
  it.each([
    ['32-28', '32 to 28'],
    ['28x19', '28 takes 19'],
    ['47x33x24', '47 takes 33 takes 24'],
    ['c3xe5', 'c3 takes e5'],
    ['q1-m10', 'q1 to m10'],
    ['Nf3', 'knight f3'],
    ['exd5', 'e takes d5'],
  ])('%s is “%s”', (move, words) => {
    expect(inWords(move)).toBe(words);
  });

  it('is told so by whatever voice, or as it is written', () => {
    expect(tellNotation('c3xe5', 'c3xe5', { ...DEFAULTS, tellMoves: 'de' })).toEqual({ text: 'c3 takes e5' });
    expect(tellNotation('c3xe5', 'c3xe5', { ...DEFAULTS, tellMoves: 'notation' })).toEqual({ text: 'c3xe5' });
    expect(tellUci('47x33x24', '', DEFAULTS)).toBe('47 takes 33 takes 24');
  });
});

describe('what is typed', () => {
  it('is per move, or one of several', () => {
    expect(asked('33-29', atBoard())).toEqual({ play: '33-29' });
    expect(asked('47x24', atBoard())).toMatchObject({ fault: true, tell: '47x24 could be 47 takes 33 takes 24, 47 takes 42 takes 24.' });
    expect(asked('33-28', atBoard())).toMatchObject({ fault: true });
  });

  it('chooses among ways that are asked for', () => {
    expect(asked('47x42x24', atBoard({ choosing: ['47x33x24', '47x42x24'] }))).toEqual({ choose: '47x42x24' });
  });

  it('asks about squares and pieces', () => {
    expect(asked('b 28', atBoard())).toEqual({ go: 'board', square: '28' });
    expect(asked('b 51', atBoard())).toMatchObject({ tell: '51 is not a square.' });
    expect(asked('p K', atBoard())).toEqual({ tell: 'white king: 28' });
    expect(asked('p n', atBoard())).toMatchObject({ tell: expect.stringContaining('k, p') });
    expect(asked('s 1', atBoard())).toMatchObject({ tell: expect.stringContaining('Your move, White to move, move 2.') });
  });
});

it('tells where everybody stands, in the order of the squares', () => {
  const board = kind.placement('W:W9,10,K2:B50');
  expect(tellSide(kind, board, 'w')).toBe('white king: 2; white man: 9 10');
  expect(tellState(atBoard())).toBe('Your move, White to move, move 2.');
});

it('counts men and kings alike, and nobody on the star', () => {
  expect(material(kind.placement('W:W9,10,K2:B50'), new Map()).w).toEqual({ more: [], ahead: 2 });
  const points = groundKind(star('ten'));
  expect(material(points.start(null), points.start(null)).b.ahead).toBe(0);
});
