/** Lines of the board: pieces along a line, and attackers of a square. */

import type { Piece, Placement, Square } from '../notation/pieces';

/** Files to the right and ranks up, seen from White's side. */
type Way = readonly [files: number, ranks: number];

/** Clockwise, from straight up. */
const WAYS: readonly Way[] = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];
export const DIRECTIONS = WAYS.length;

const JUMPS: readonly Way[] = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];

/** The square `steps` away from `from`; null beyond the edge. */
function beyond(from: Square, [files, ranks]: Way, steps: number): Square | null {
  const file = 'abcdefgh'.charAt(from.charCodeAt(0) - 97 + files * steps);
  const rank = Number(from[1]) + ranks * steps;
  return from.charCodeAt(0) - 97 + files * steps < 0 || file === '' || rank < 1 || rank > 8 ? null : file + rank;
}

/** The squares from `from` to the edge, nearest first. `direction` 0 is up White's files, the rest follow clockwise. */
export function ray(from: Square, direction: number): Square[] {
  const way = WAYS[direction % DIRECTIONS]!;
  const found: Square[] = [];
  for (let next = beyond(from, way, 1); next !== null; next = beyond(from, way, found.length + 1)) found.push(next);
  return found;
}

/** Squares of the pieces of both sides that attack `square`, or defend a piece of their own on it. */
export function attackers(board: Placement, square: Square): Square[] {
  const jumping = JUMPS.map((jump) => beyond(square, jump, 1)).filter((from) => from && board.get(from)?.role === 'n');
  const sliding = WAYS.map((_, direction) => {
    const line = ray(square, direction);
    const steps = line.findIndex((from) => board.has(from));
    const from = line[steps];
    return from !== undefined && reaches(board.get(from)!, direction, steps + 1) ? from : null;
  });
  return [...jumping, ...sliding].filter((from) => from !== null).sort();
}

/** Whether `piece` reaches a square that sees it in `direction`, `steps` away, with nothing between. */
function reaches({ role, color }: Piece, direction: number, steps: number): boolean {
  const [files, ranks] = WAYS[direction]!;
  const slanting = files !== 0 && ranks !== 0;
  switch (role) {
    case 'q':
      return true;
    case 'r':
      return !slanting;
    case 'b':
      return slanting;
    case 'k':
      return steps === 1;
    case 'p':
      return steps === 1 && slanting && ranks === (color === 'w' ? -1 : 1);
    default:
      return false;
  }
}
