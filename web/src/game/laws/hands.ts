/** What hands can do on the board of a game by the Laws, legal or not: any own piece can be put anywhere. */

import type { GameKind } from '../../board/core/game-kind';
import type { GameSnapshot } from '../../net/protocol';
import { placement, type Placement, type Square } from '../../notation/pieces';
import type { Destinations } from '../../notation/uci';

type Laws = NonNullable<GameSnapshot['laws']>;
type Kind = Pick<GameKind, 'endpoints' | 'hasLines' | 'lattice'>;

export interface Hands {
  kind: Kind;
  game: GameSnapshot;
  /** The pieces after the completed moves. */
  base: Placement;
  /** The legal moves as squares. */
  legal: Destinations;
}

/** Where each own piece can be put, and the move that it is. Empty once a legal move is made. */
export function byHand({ kind, game, base, legal }: Hands): Destinations {
  const all: Destinations = new Map();
  const { laws } = game;
  if (!laws || isFinished(laws, legal) || isPromoting(game)) return all;
  const free = boundPieces(kind, laws);
  // An illegal move may be corrected before the clock is pressed: the piece is on its target already.
  const [origin, now] = laws.made === null ? [null, null] : kind.endpoints(laws.made.move);
  for (const [from, piece] of base) {
    if (piece.color !== game.turn || (free !== null && !free.has(from))) continue;
    const targets = new Map<Square, string[]>();
    for (const to of kind.lattice.squares) {
      const moves = legal.get(from)?.get(to);
      if (to === from || (base.get(to)?.color === game.turn && moves === undefined)) continue;
      targets.set(to, moves === undefined ? [moveText(kind, base, from, to)] : withoutPromotion(moves));
    }
    all.set(from === origin ? now : from, targets);
  }
  return all;
}

/** Whether a legal move is made, which stands (4.6). */
export const isFinished = ({ made }: Laws, legal: Destinations): boolean =>
  made !== null && [...legal.values()].some((targets) => [...targets.values()].some((moves) => moves.includes(made.move)));

/** Whether a pawn of chess has arrived and its new piece is not chosen. */
export function isPromoting({ laws }: Pick<GameSnapshot, 'laws'>): boolean {
  const made = laws?.made ?? null;
  if (made === null || !/^[a-h]\d[a-h][18]$/.test(made.move)) return false;
  return placement(made.position).get(made.move.slice(2))?.role === 'p';
}

/** Squares of the pieces that touch-move leaves; null if any may move. */
function boundPieces({ endpoints }: Kind, { bound }: Laws): ReadonlySet<Square> | null {
  return bound ? new Set(bound.map((move) => endpoints(move)[0])) : null;
}

/** Targets of the moves that touch-move leaves. */
export const boundTargets = ({ endpoints }: Pick<Kind, 'endpoints'>, { bound }: Laws): Square[] =>
  [...new Set((bound ?? []).map((move) => endpoints(move)[1]))];

/** The pawn is put down first; its new piece follows. */
const withoutPromotion = (moves: string[]): string[] =>
  moves.length > 1 && moves.every((move) => move.length === 5) ? [moves[0]!.slice(0, 4)] : moves;

/** The move from one square to another, whether legal or not. */
export function moveText(kind: Kind, base: Placement, from: Square, to: Square): string {
  if (kind.hasLines) return from + to;
  return from + (leapsOver(kind, base, from, to) ? 'x' : '-') + to;
}

/** Whether exactly one piece stands between two squares of a diagonal, and it is the opponent's. */
function leapsOver({ lattice }: Kind, base: Placement, from: Square, to: Square): boolean {
  const [start, end] = [lattice.placeOf(from), lattice.placeOf(to)];
  if (start === null || end === null) return false;
  const [across, down] = [end.column - start.column, end.row - start.row];
  if (Math.abs(across) !== Math.abs(down)) return false;
  const between = Array.from({ length: Math.abs(across) - 1 }, (_, index) => {
    const square = lattice.squareAt(start.column + Math.sign(across) * (index + 1), start.row + Math.sign(down) * (index + 1));
    return square === null ? undefined : base.get(square);
  }).filter((piece) => piece !== undefined);
  return between.length === 1 && between[0]!.color !== base.get(from)?.color;
}

/** The square of the board under the pointer; null beside it. */
export function squareUnder({ lattice }: Pick<Kind, 'lattice'>, box: DOMRect, bottom: 'w' | 'b', { clientX, clientY }: MouseEvent): Square | null {
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  const column = Math.floor((bottom === 'w' ? x : 1 - x) * lattice.columns);
  const row = Math.floor((bottom === 'w' ? y : 1 - y) * lattice.rows);
  return column < 0 || row < 0 || column >= lattice.columns || row >= lattice.rows ? null : lattice.squareAt(column, row);
}
