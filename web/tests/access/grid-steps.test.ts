import { describe, expect, it } from 'vitest';
import { gridStep } from '../../src/access/grid-steps';
import { CHESS_KIND } from '../../src/board/chess/kind';
import type { GameKind } from '../../src/board/core/game-kind';
import { groundOf as draughts } from '../../src/board/draughts/ground';
import { groundKind } from '../../src/board/ground/kind';
import { groundOf as star } from '../../src/board/star/ground';

const walk = (kind: GameKind, from: string, ...ways: [columns: number, rows: number][]) => {
  let at: number | null = kind.lattice.squares.indexOf(from);
  for (const way of ways) if (at !== null) at = gridStep(kind, at, ...way);
  return at === null ? null : kind.lattice.squares[at];
};

describe('arrow keys', () => {
  it('go straight on a board that is full', () => {
    expect(walk(CHESS_KIND, 'e4', [0, -1])).toBe('e5');
    expect(walk(CHESS_KIND, 'e4', [1, 0], [0, 1])).toBe('f3');
    expect(walk(CHESS_KIND, 'a1', [-1, 0])).toBeNull();
    expect(walk(groundKind(draughts('turkish')), 'c3', [0, -1])).toBe('c4');
  });

  it.each([
    ['international', groundKind(draughts('international'))],
    ['italian', groundKind(draughts('italian'))],
    ['the star', groundKind(star('fifteen'))],
  ])('go to a neighbour and back again in %s, wherever there is one', (_, kind) => {
    for (const square of kind.lattice.squares) {
      const up = walk(kind, square, [0, -1]);
      if (up) {
        const [one, other] = [kind.lattice.placeOf(square)!, kind.lattice.placeOf(up)!];
        expect(one.row - other.row).toBe(1);
        expect(Math.abs(one.column - other.column)).toBe(1);
      }
      const right = walk(kind, square, [1, 0]);
      if (right) expect(walk(kind, square, [1, 0], [-1, 0])).toBe(square);
    }
    const middle = kind.lattice.squares[Math.floor(kind.lattice.squares.length / 2)]!;
    expect(walk(kind, middle, [0, -1], [0, 1])).toBe(middle);
    expect(walk(kind, middle, [0, 1], [0, -1])).toBe(middle);
  });

  it('reach every place of the star', () => {
    const kind = groundKind(star('ten'));
    const seen = new Set([0]);
    for (const at of seen) {
      for (const [columns, rows] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        const next = gridStep(kind, at, columns, rows);
        if (next !== null) seen.add(next);
      }
    }
    expect(seen.size).toBe(121);
  });
});
