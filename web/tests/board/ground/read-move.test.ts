import { describe, expect, it } from 'vitest';
import { groundOf } from '../../../src/board/draughts/ground';
import { isCompletePathMove, readPathMove } from '../../../src/board/ground/read-move';

const isNumber = (name: string) => groundOf('international').places.has(name);
const isSquare = (name: string) => groundOf('russian').places.has(name);
const LEGAL = ['32-28', '32-27', '31-27', '3-8', '3-9', '33-29'];

describe('a typed move of draughts', () => {
  it.each(['32-28', '32 28', ' 32–28 ', '3228', '32 to 28', '28', '1. 32-28', '32x28', '32:28'])('%s', (text) => {
    expect(readPathMove(text, LEGAL, isNumber)).toEqual({ move: '32-28' });
  });

  it('offers a draw with it', () => {
    expect(readPathMove('32-28 (=)', LEGAL, isNumber)).toEqual({ move: '32-28', draw: true });
  });

  it('may mean several', () => {
    expect(readPathMove('27', LEGAL, isNumber)).toEqual({ fault: 'ambiguous', moves: ['32-27', '31-27'] });
  });

  it.each([
    ['', 'unreadable'],
    ['e4', 'unreadable'],
    ['32-51', 'unreadable'],
    ['x', 'unreadable'],
    ['9'.repeat(100), 'unreadable'],
    ['32-23', 'illegal'],
    ['50', 'illegal'],
  ])('%j is %s', (text, fault) => {
    expect(readPathMove(text, LEGAL, isNumber)).toEqual({ fault });
  });

  it('names landings where two captures share their ends', () => {
    const legal = ['47x33x24', '47x42x24', '5x14'];
    expect(readPathMove('47x24', legal, isNumber)).toEqual({ fault: 'ambiguous', moves: ['47x33x24', '47x42x24'] });
    expect(readPathMove('47x42x24', legal, isNumber)).toEqual({ move: '47x42x24' });
    expect(readPathMove('47 33 24', legal, isNumber)).toEqual({ move: '47x33x24' });
    expect(readPathMove('5x14', legal, isNumber)).toEqual({ move: '5x14' });
  });

  it('takes a way that is told in full for the move of its ends', () => {
    expect(readPathMove('47x33x24', ['47x24'], isNumber)).toEqual({ move: '47x24' });
  });

  it('reads coordinates, big or small', () => {
    expect(readPathMove('C3-D4', ['c3-d4', 'c3-b4'], isSquare)).toEqual({ move: 'c3-d4' });
    expect(readPathMove('c3d4', ['c3-d4', 'c3-b4'], isSquare)).toEqual({ move: 'c3-d4' });
    expect(readPathMove('c3:e5', ['c3xe5'], isSquare)).toEqual({ move: 'c3xe5' });
  });

  it('is whole when nothing goes on from it', () => {
    expect(isCompletePathMove('32-28', LEGAL, isNumber)).toBe(true);
    expect(isCompletePathMove('3-8', LEGAL, isNumber)).toBe(true);
    expect(isCompletePathMove('32-2', LEGAL, isNumber)).toBe(false);
    expect(isCompletePathMove('28', LEGAL, isNumber)).toBe(false);
    expect(isCompletePathMove('3-2', ['3-2', '3-28'], isNumber)).toBe(false);
    expect(isCompletePathMove('c3d4', ['c3-d4'], isSquare)).toBe(true);
    expect(isCompletePathMove('32 28', LEGAL, isNumber)).toBe(false);
  });
});
