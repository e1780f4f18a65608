/** FEN of draughts: `W:W31-50:B1-20`, `B:Wc3,Kd4:Bh8`. Reads only what the server writes. */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';

/** The fewest consecutive men that are written as a range. */
const RANGE = 3;

/** `squares`: all squares of the board. Other names are skipped. */
export function readFen(fen: string, squares: readonly Square[], numbered: boolean): Placement {
  const known = new Set(squares);
  const board = new Map<Square, Piece>();
  for (const part of fen.split(':').slice(1)) {
    const color: Color = part.charAt(0) === 'W' ? 'w' : 'b';
    for (const text of part.slice(1).split(',')) {
      const king = text.startsWith('K');
      for (const square of squaresIn(king ? text.slice(1) : text, numbered)) {
        if (known.has(square)) board.set(square, { role: king ? 'd' : 'm', color });
      }
    }
  }
  return board;
}

function squaresIn(text: string, numbered: boolean): Square[] {
  const [first = '', last] = text.split('-');
  if (last === undefined || !numbered) return [first];
  const [from, to] = [Number(first), Number(last)];
  if (!(from <= to && to <= 100)) return [];
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

/** Moves that a king has made in a row, at the end of a FEN: `:+212+346`, Black's king and then White's. */
const RUNS = /:\+([0-9])([0-9]*)\+([0-9])([0-9]*)$/;

export interface Run {
  color: Color;
  square: Square;
  moves: number;
}

/** The moves in a row that count in a position; none in other games. */
export function readRuns(fen: string): Run[] {
  const [, black = '0', blackKing = '', white = '0', whiteKing = ''] = RUNS.exec(fen) ?? [];
  const runs: Run[] = [
    { color: 'w', square: whiteKing, moves: Number(white) },
    { color: 'b', square: blackKing, moves: Number(black) },
  ];
  return runs.filter(({ moves }) => moves > 0);
}

/** `squares`: all squares, in order. */
export function writeFen(board: Placement, turn: Color, squares: readonly Square[], numbered: boolean): string {
  const side = (color: Color) => {
    const of = (role: string) =>
      squares.filter((square) => board.get(square)?.color === color && board.get(square)?.role === role);
    const men = numbered ? ranges(of('m').map(Number)) : of('m');
    return color.toUpperCase() + [...men, ...of('d').map((square) => `K${square}`)].join(',');
  };
  return `${turn.toUpperCase()}:${side('w')}:${side('b')}`;
}

function ranges(men: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < men.length; ) {
    let end = at;
    while (men[end + 1] === men[end]! + 1) end += 1;
    if (end - at + 1 >= RANGE) found.push(`${men[at]}-${men[end]}`);
    else found.push(...men.slice(at, end + 1).map(String));
    at = end + 1;
  }
  return found;
}
