/**
 * FEN of draughts, read as generously as the server does (game_core/draughts/notation/fen.py): sides in any order,
 * ranges of numbers, lower case, blanks, a final full stop.
 */

import type { Color } from '../../net/protocol';
import type { Piece, Square } from '../../notation/pieces';
import { gameOf } from '../../variants/registry';
import { say, SIDES } from '../../words/words';
import type { GameKind } from '../core/game-kind';
import { NO_CASTLING, type PositionFormat, type Setup } from './setup';

/** Ends with what Frisian draughts counts: clocks, and moves in a row by one king. */
const SHAPE = /^([WB]):([WB])([^:]*):([WB])([^:]*)((?::H\d+:F\d+)?(?::\+\d\d*\+\d\d*)?)$/;

export function draughtsFormat(kind: GameKind, variant: string): PositionFormat {
  const { squares, rows, placeOf } = kind.lattice;
  const known = new Set(squares);
  const numbered = /^\d+$/.test(squares[0]!);
  const start: Setup = { board: kind.start(null), turn: gameOf(variant).begins, castling: '', passant: '', rest: '' };
  const most = [...start.board.values()].filter(({ color }) => color === 'w').length;

  /** Null for an unknown one. */
  function squaresIn(word: string): Square[] | null {
    const name = word.toLowerCase();
    if (known.has(name)) return [name];
    const [first = '', last = ''] = name.split('-');
    if (!numbered || !known.has(first) || !known.has(last) || Number(first) > Number(last)) return null;
    return squares.slice(squares.indexOf(first), squares.indexOf(last) + 1);
  }

  function read(text: string): Setup | { fault: string } {
    const [, turn = '', one = '', its = '', other = '', theirs = '', rest = ''] = SHAPE.exec(plain(text)) ?? [];
    if (turn === '' || one === other) return { fault: say('setup.draughts', { example: numbered ? 'W:W31-50:B1-20,K28' : 'W:Wc3,Kd4:Bh8' }) };
    const board = new Map<Square, Piece>();
    for (const [side, words] of [[one, its], [other, theirs]] as const) {
      for (const word of words.split(',').filter(Boolean)) {
        const king = word.startsWith('K');
        const found = squaresIn(king ? word.slice(1) : word);
        if (found === null) return { fault: say('setup.no-square', { square: word.slice(0, 20).toLowerCase() }) };
        for (const square of found) {
          if (board.has(square)) return { fault: say('setup.twice', { square }) };
          board.set(square, { role: king ? 'd' : 'm', color: colorOf(side) });
        }
      }
    }
    return { board, turn: colorOf(turn), castling: '', passant: '', rest };
  }

  function sideFault({ board }: Setup, color: Color): string | null {
    const own = [...board].filter(([, piece]) => piece.color === color);
    const side = SIDES[color];
    if (own.length === 0) return say('setup.none', { side });
    if (own.length > most) return say('setup.many', { side, n: own.length, most });
    const goal = color === 'w' ? 0 : rows - 1;
    const [square] = own.find(([at, { role }]) => role === 'm' && placeOf(at)!.row === goal) ?? [];
    return square === undefined ? null : say('setup.uncrowned', { side, square });
  }

  return {
    ...NO_CASTLING,
    kind,
    start,
    read,
    write: ({ board, turn, rest }) => kind.write(board, turn) + rest,
    fault(text) {
      const setup = read(text);
      return 'fault' in setup ? setup.fault : (sideFault(setup, 'w') ?? sideFault(setup, 'b'));
    },
    settle: (setup) => ({ ...setup, rest: '' }),
  };
}

const plain = (text: string): string => text.replace(/\s/g, '').toUpperCase().replace(/\.$/, '');

const colorOf = (letter: string): Color => (letter === 'W' ? 'w' : 'b');
