/** Positions of Chinese checkers: the rows from Black's tip, and the side to move. */

import type { Color } from '../../net/protocol';
import { gameOf } from '../../variants/registry';
import { say, SIDES } from '../../words/words';
import type { GameKind } from '../core/game-kind';
import { NO_CASTLING, type PositionFormat, type Setup } from './setup';

const SHAPE = /^\s*([wb/0-9]+)\s+([wb])\s*$/;
const PARTS = /[wb]|[1-9]\d?/g;

export function starFormat(kind: GameKind, variant: string): PositionFormat {
  const { squares, placeOf, rows } = kind.lattice;
  const lengths = Array.from({ length: rows }, (_, row) => squares.filter((square) => placeOf(square)!.row === row).length);
  const start: Setup = { board: kind.start(null), turn: gameOf(variant).begins, castling: '', passant: '', rest: '' };
  const count = ({ board }: Setup, color: Color) => [...board.values()].filter((piece) => piece.color === color).length;
  const wanted = count(start, 'w');

  function read(text: string): Setup | { fault: string } {
    const [, board = '', turn = ''] = SHAPE.exec(text) ?? [];
    const lines = board.split('/');
    if (lines.length !== rows) return { fault: say('setup.star', { rows }) };
    const wrong = lines.findIndex((line, row) => lengthOf(line) !== lengths[row]);
    if (wrong >= 0) return { fault: say('setup.star.row', { row: wrong + 1, n: lengths[wrong]! }) };
    return { board: kind.placement(`${board} ${turn}`), turn: turn as Color, castling: '', passant: '', rest: '' };
  }

  function sideFault(setup: Setup, color: Color): string | null {
    const n = count(setup, color);
    return n === wanted ? null : say('setup.star.count', { side: SIDES[color], n, most: wanted });
  }

  return {
    ...NO_CASTLING,
    kind,
    start,
    read,
    write: ({ board, turn }) => kind.write(board, turn),
    fault(text) {
      const setup = read(text);
      return 'fault' in setup ? setup.fault : (sideFault(setup, 'w') ?? sideFault(setup, 'b'));
    },
    settle: (setup) => setup,
  };
}

/** The holes that a row fills; NaN for an invalid one. */
function lengthOf(line: string): number {
  const parts = line.match(PARTS) ?? [];
  if (parts.join('') !== line) return NaN;
  return parts.reduce((sum, part) => sum + (/\d/.test(part) ? Number(part) : 1), 0);
}
