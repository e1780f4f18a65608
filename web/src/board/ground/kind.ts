/** Game kind of a board of our own, made from its `Ground`. */

import type { Leaps } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';
import type { Destinations } from '../../notation/uci';
import type { GameKind } from '../core/game-kind';
import type { MovePath } from '../core/move-path';
import { GroundBoard } from './board';
import { captureChooser } from './capture-chooser';
import { pathSquares, type Ground } from './ground';
import { isCompletePathMove, readPathMove } from './read-move';

const kinds = new Map<Ground, GameKind>();

export function groundKind(ground: Ground): GameKind {
  const known = kinds.get(ground);
  if (known) return known;
  const kind = make(ground);
  kinds.set(ground, kind);
  return kind;
}

function ends(move: string): [Square, Square] {
  const path = pathSquares(move);
  return [path[0]!, path.at(-1)!];
}

function courseOf(move: string, leaps: Leaps | null): MovePath {
  const [from, ...path] = pathSquares(move);
  return leaps ? { from: from!, path: leaps.path, taken: leaps.taken } : { from: from!, path, taken: [] };
}

function make(ground: Ground): GameKind {
  const { places, start, write } = ground;
  const at = new Map([...places].map(([square, { column, row }]) => [row * ground.columns + column, square]));
  const isSquare = (name: string) => places.has(name);
  return {
    createBoard: (element, onmove) => new GroundBoard(ground, element, onmove),
    lattice: {
      columns: ground.columns,
      rows: ground.rows,
      squareAt: (column, row) => (column < 0 || column >= ground.columns ? null : (at.get(row * ground.columns + column) ?? null)),
      placeOf: (square) => places.get(square) ?? null,
      box: (square) => {
        const { x, y } = places.get(square)!;
        return { x, y, unit: ground.unit };
      },
      squares: [...places.keys()],
    },
    roles: ground.holes ? ['o'] : ['d', 'm'],
    keys: ground.holes ? { p: 'o' } : { k: 'd', p: 'm' },
    hasLines: false,
    example: exampleOf(ground),
    start: (fen) => ground.placement(fen ?? start),
    placement: (fen) => ground.placement(fen),
    write,
    played: (before, move, leaps) => played(ground, before, courseOf(move, leaps)),
    endpoints: ends,
    pathOf: courseOf,
    captures: (board, move, leaps) => courseOf(move, leaps).taken.flatMap((square) => board.get(square) ?? []),
    destinations,
    read: (text, legal) => readPathMove(text, legal, isSquare),
    isComplete: (text, legal) => isCompletePathMove(text, legal, isSquare),
    premoveOf: (move) => ends(move).join('-'),
    choices: (moves) => (moves.length < 2 ? [] : moves.map((move) => ({ value: move, label: move }))),
    chooser: (moves, leaps, bottom, choose) => captureChooser(ground, moves, leaps, bottom, choose),
  };
}

/** A first step that is possible at the start. */
function exampleOf({ places, placement, start, first, reaches }: Ground): string {
  const board = placement(start);
  const free = [...places.keys()].filter((square) => !board.has(square));
  for (const [from, piece] of board) {
    const to = piece.color === first && free.find((square) => Math.abs(places.get(square)!.row - places.get(from)!.row) === 1 && reaches(piece, from, square));
    if (to) return `${from}-${to}`;
  }
  return '';
}

function played(ground: Ground, before: Placement, { from, path, taken }: MovePath): Placement {
  const piece = before.get(from);
  const after = new Map<Square, Piece>(before);
  if (piece === undefined) return after;
  after.delete(from);
  for (const square of taken) after.delete(square);
  after.set(path.at(-1)!, ground.afterMove(piece, path));
  return after;
}

function destinations(legal: readonly string[]): Destinations {
  const all: Destinations = new Map();
  for (const move of legal) {
    const [from, to] = ends(move);
    const targets = all.get(from) ?? new Map<Square, string[]>();
    all.set(from, targets.set(to, [...(targets.get(to) ?? []), move]));
  }
  return all;
}
