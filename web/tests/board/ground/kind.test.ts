import { describe, expect, it } from 'vitest';
import { groundOf as draughts } from '../../../src/board/draughts/ground';
import { groundKind } from '../../../src/board/ground/kind';
import { Replay } from '../../../src/board/replay';
import { groundOf as star } from '../../../src/board/star/ground';

const international = groundKind(draughts('international'));

describe('a game of ours', () => {
  it('is played over from its moves and how they went', () => {
    const replay = new Replay('W:W32,38:B28,K9', international);
    const leaps = [{ path: ['23', '5'], taken: ['28', '9'] }];
    const board = replay.at(1, ['32x5'], leaps);
    expect(international.write(board, 'b')).toBe('B:W38,K5:B');
    expect(international.write(replay.at(0, ['32x5'], leaps), 'w')).toBe('W:W32,38:B28,K9');
    expect(international.write(replay.at(1, ['38-33'], [null]), 'b')).toBe('B:W32,33:B28,K9');
  });

  it('knows what a move takes', () => {
    const board = international.placement('W:W32:B28,K9');
    expect(international.captures(board, '32x5', { path: ['23', '5'], taken: ['28', '9'] })).toEqual([
      { role: 'm', color: 'b' },
      { role: 'd', color: 'b' },
    ]);
    expect(international.captures(board, '32-27', null)).toEqual([]);
  });

  it('gathers the moves by their ends', () => {
    const all = international.destinations(['47x33x24', '47x42x24', '5-10'], { variant: 'international', position: '' });
    expect(all.get('47')!.get('24')).toEqual(['47x33x24', '47x42x24']);
    expect(all.get('5')!.get('10')).toEqual(['5-10']);
    expect(international.choices(['47x33x24', '47x42x24'])).toHaveLength(2);
    expect(international.choices(['5-10'])).toEqual([]);
  });

  it('has a lattice of its places', () => {
    const { lattice } = international;
    expect(lattice.squareAt(1, 0)).toBe('1');
    expect(lattice.squareAt(0, 0)).toBeNull();
    expect(lattice.squareAt(-1, 1)).toBeNull();
    const { lattice: points } = groundKind(star('ten'));
    expect(points.squareAt(12, 0)).toBe('q1');
    expect(points.placeOf('a1')).toMatchObject({ column: 12, row: 16 });
  });

  it('hops on the star without taking anything', () => {
    const kind = groundKind(star('fifteen'));
    const board = kind.played(kind.start(null), 'd1-f3', { path: ['f3'], taken: [] });
    expect(board.has('d1')).toBe(false);
    expect(board.get('f3')).toEqual({ role: 'o', color: 'w' });
  });
});
