/** Material balance: the pieces that a side has more of, and the difference in value. */

import type { Color } from '../net/protocol';
import { opposite } from '../notation/color';
import type { ChessRole, Placement } from '../notation/pieces';

const VALUES: Record<ChessRole, number> = { q: 9, r: 5, b: 3, n: 3, p: 1, k: 0 };

export interface Material {
  /** Pieces that this side has more of than at the start, most valuable first. */
  more: ChessRole[];
  /** In pawns, or men; 0 for the side that is behind, and when they are even. */
  ahead: number;
}

/** `start`: the position at the start, whose own differences do not count. */
export function material(board: Placement, start: Placement): Record<Color, Material> {
  const count = { w: { ...NONE }, b: { ...NONE } };
  // Each man and each king of draughts counts as one.
  const all = { w: 0, b: 0 };
  const add = (placement: Placement, sign: 1 | -1) => {
    for (const { role, color } of placement.values()) {
      if (role in VALUES) count[color][role as ChessRole] += sign;
      if (role === 'm' || role === 'd') all[color] += sign;
    }
  };
  add(board, 1);
  add(start, -1);
  const of = (color: Color): Material => {
    const own = count[color];
    const theirs = count[opposite(color)];
    const more = ROLES.flatMap((role) => Array<ChessRole>(Math.max(0, own[role] - theirs[role])).fill(role));
    const value = ROLES.reduce((sum, role) => sum + VALUES[role] * (own[role] - theirs[role]), all[color] - all[opposite(color)]);
    return { more, ahead: Math.max(0, value) };
  };
  return { w: of('w'), b: of('b') };
}

const ROLES: readonly ChessRole[] = ['q', 'r', 'b', 'n', 'p'];
const NONE: Record<ChessRole, number> = { q: 0, r: 0, b: 0, n: 0, p: 0, k: 0 };
