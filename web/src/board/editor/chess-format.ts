/** FEN, X-FEN and Shredder-FEN of chess. */

import { castlingSide, passantSquares, readBoard, readPosition } from '../../notation/check-fen';
import { placement, type Placement } from '../../notation/pieces';
import { gameOf, isPlainKing } from '../../variants/registry';
import { say, SIDES } from '../../words/words';
import { CHESS_KIND } from '../chess/kind';
import type { PositionFormat, Right, Setup } from './setup';

const RIGHTS: readonly Right[] = ['K', 'Q', 'k', 'q'];
const COUNTERS = '0 1';

export function chessFormat(variant: string): PositionFormat {
  const chess960 = gameOf(variant).starts > 1;
  const plainKing = isPlainKing(variant);
  const side = (board: Placement, letter: string) => (plainKing ? null : castlingSide(board, letter, chess960));
  const isOf = (board: Placement, right: Right) => (letter: string) => side(board, letter) === side(board, right);
  const write = ({ board, turn, castling, passant, rest }: Setup) =>
    [CHESS_KIND.write(board, turn), turn, castling || '-', passant || '-', rest].join(' ');

  return {
    kind: CHESS_KIND,
    start: { board: CHESS_KIND.start(null), turn: 'w', castling: plainKing ? '' : 'KQkq', passant: '', rest: COUNTERS },
    read(text) {
      const [rows = '', turn, castling = '-', passant = '-', still = '0', move = '1'] = text.trim().split(/\s+/);
      const board = readBoard(rows);
      if (board === null) return { fault: say('fen.board') };
      const given = (field: string) => (field === '-' ? '' : field);
      return { board, turn: turn === 'b' ? 'b' : 'w', castling: given(castling), passant: given(passant), rest: `${still} ${move}` };
    },
    write,
    fault(text) {
      const read = readPosition(text, chess960, plainKing);
      if ('fault' in read) return say(read.fault);
      const pieces = [...placement(read.fen).values()];
      const bare = (['w', 'b'] as const).find((color) => !pieces.some((piece) => piece.color === color));
      return bare === undefined ? null : say('setup.none', { side: SIDES[bare] });
    },
    settle: (setup) => ({
      ...setup,
      castling: [...setup.castling].filter((letter) => side(setup.board, letter) !== null).join(''),
      passant: '',
      rest: COUNTERS,
    }),
    rights: ({ board, castling }) =>
      RIGHTS.filter((right) => side(board, right) !== null).map((right) => ({ right, on: [...castling].some(isOf(board, right)) })),
    withRight(setup, right, on) {
      const { board, castling } = setup;
      const others = [...castling].filter((letter) => !isOf(board, right)(letter));
      const of = (one: Right) => (one === right ? (on ? right : '') : (others.find(isOf(board, one)) ?? ''));
      return { ...setup, castling: RIGHTS.filter((one) => side(board, one) !== null).map(of).join('') };
    },
    passants: ({ board, turn }) => passantSquares(board, turn),
  };
}
