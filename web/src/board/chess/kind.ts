/** Chess as a game kind. */

import { placement, roleName, ROLES } from '../../notation/pieces';
import { isComplete, readMove } from '../../notation/read-move';
import { destinations, promotions, squares } from '../../notation/uci';
import type { GameKind } from '../core/game-kind';
import { ChessBoard } from './board';
import { fenOf, played, START } from './position';
import { promotionChooser } from './promotion';

export const CHESS_KIND: GameKind = {
  createBoard: (element, onmove) => new ChessBoard(element, onmove),
  lattice: {
    columns: 8,
    rows: 8,
    squareAt: (column, row) => 'abcdefgh'.charAt(column) + String(8 - row),
    box: () => null,
    squares: [...'87654321'].flatMap((rank) => [...'abcdefgh'].map((file) => file + rank)),
    placeOf: (square) => (/^[a-h][1-8]$/.test(square) ? { column: square.charCodeAt(0) - 97, row: 8 - Number(square[1]) } : null),
  },
  roles: ROLES,
  keys: Object.fromEntries(ROLES.map((role) => [role, role])),
  hasLines: true,
  example: 'e2e4',
  start: (fen) => placement(fen ?? START),
  placement,
  write: fenOf,
  played,
  endpoints: squares,
  pathOf: () => null,
  captures: (board, move) => {
    const [from, to] = squares(move);
    const piece = board.get(from);
    const target = board.get(to);
    if (target !== undefined) return target.color === piece?.color ? [] : [target];
    // En passant: the target square was empty.
    return piece?.role === 'p' && from[0] !== to[0] ? [{ role: 'p', color: piece.color === 'w' ? 'b' : 'w' }] : [];
  },
  destinations,
  read: readMove,
  isComplete,
  premoveOf: (move) => move.slice(0, 4),
  choices: (moves) => promotions(moves).map((letter) => ({ value: letter, label: roleName(letter) })),
  chooser: (moves, _leaps, bottom, choose) => promotionChooser(moves, bottom, choose),
};
