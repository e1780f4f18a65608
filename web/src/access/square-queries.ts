/** Answers about a square: its piece, its moves, the lines around it, its attackers. */

import type { GameKind } from '../board/core/game-kind';
import { pieceName, roleName, type Piece, type Placement, type Square } from '../notation/pieces';
import type { Destinations } from '../notation/uci';
import { say, type Key } from '../words/words';
import { isLive, type AccessibleGame } from './accessible-game';
import { attackers, DIRECTIONS, ray } from './lines';

type Direction = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const isDark = (square: Square): boolean => (square.charCodeAt(0) + Number(square[1])) % 2 === 0;

export class SquareQueries {
  private table: AccessibleGame | null = null;
  private board: Placement = new Map();
  private destinations: Destinations | null = null;
  /** The line told last, and its origin. */
  private lastLine: { from: Square; direction: number } | null = null;

  /** Set the position and the destinations. */
  show(table: AccessibleGame, board: Placement, ways: Destinations | null): void {
    this.table = table;
    this.board = board;
    this.destinations = ways;
  }

  describe(square: Square): string {
    const piece = this.board.get(square);
    const told = say('grid.square', { square, piece: piece ? pieceName(piece) : say('grid.empty') });
    if (this.table?.kind.hasLines === false) return told;
    return `${told}, ${say(isDark(square) ? 'grid.dark' : 'grid.light')}`;
  }

  /** Where the piece on `square` can go, or what it can capture. */
  moves(square: Square, captures: boolean): string {
    const { table, destinations } = this;
    if (table === null || destinations === null) return say(table && isLive(table) ? 'grid.not-yours' : 'grid.back');
    const piece = this.board.get(square);
    const targets = [...(destinations.get(square) ?? [])].map(([to, [move = '']]) => ({ to, taken: this.taken(table.kind, move) }));
    const found = targets.filter(({ taken }) => !captures || taken.length > 0).sort((a, b) => (a.to < b.to ? -1 : 1));
    if (piece === undefined || found.length === 0) {
      return say(captures ? 'grid.no-captures' : 'grid.no-moves', { square });
    }
    const squares = found.map(({ to, taken }) =>
      taken.length > 0 ? say('grid.takes', { square: to, piece: taken.map(({ role }) => roleName(role)).join(', ') }) : to,
    );
    return say('grid.moves', { piece: roleName(piece.role), square, squares: squares.join(', ') });
  }

  private taken(kind: GameKind, move: string): Piece[] {
    return kind.captures(this.board, move, this.table?.leaps?.[move]?.[0] ?? null);
  }

  /** Pieces on the next line from here, nearest first: diagonals, or ranks and files. */
  along(from: Square, straight: boolean, back: boolean): string {
    const first = straight ? 0 : 1;
    const same = this.lastLine?.from === from && this.lastLine.direction % 2 === first;
    let direction = same ? this.lastLine!.direction : back ? first + 2 : first - 2;
    let line: Square[] = [];
    for (let tries = 0; tries < DIRECTIONS / 2 && line.length === 0; tries += 1) {
      direction = (direction + (back ? -2 : 2) + DIRECTIONS) % DIRECTIONS;
      line = ray(from, this.onScreen(direction));
    }
    this.lastLine = { from, direction };
    const pieces = line.flatMap((square) => {
      const piece = this.board.get(square);
      return piece ? `${square} ${pieceName(piece)}` : [];
    });
    const way = say(`way.${direction}` as Key & `way.${Direction}`);
    return say('grid.along', { square: from, way, pieces: pieces.join(', ') || say('grid.nothing') });
  }

  private onScreen(direction: number): number {
    return this.table?.bottom === 'b' ? (direction + DIRECTIONS / 2) % DIRECTIONS : direction;
  }

  attacked(square: Square): string {
    const from = attackers(this.board, square).map((at) => `${pieceName(this.board.get(at)!)} ${at}`);
    return say(from.length > 0 ? 'grid.attacked' : 'grid.unattacked', { square, pieces: from.join(', ') });
  }
}
