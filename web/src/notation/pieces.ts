/** Pieces and positions, and moves in words. */

import type { Color } from '../net/protocol';
import { say, type Key } from '../words/words';

export type Square = string;

export const ROLES = ['k', 'q', 'r', 'b', 'n', 'p'] as const;
export type ChessRole = (typeof ROLES)[number];
/** `m` is a man and `d` a king of draughts, `o` a piece of Chinese checkers. */
export type Role = ChessRole | 'm' | 'd' | 'o';

export interface Piece {
  role: Role;
  color: Color;
}

/** Pieces by square. */
export type Placement = ReadonlyMap<Square, Piece>;

export function placement(fen: string): Placement {
  const found = new Map<Square, Piece>();
  (fen.split(' ')[0] ?? '').split('/').forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else {
        const role = sign.toLowerCase() as Role;
        found.set('abcdefgh'.charAt(file) + String(8 - index), { role, color: role === sign ? 'b' : 'w' });
        file += 1;
      }
    }
  });
  return found;
}

export const roleName = (role: string): string => say(`piece.${role.toLowerCase()}` as Key & `piece.${Role}`);

/** `white knight` */
export const pieceName = ({ role, color }: Piece): string => say(`colour.${color}`, { piece: roleName(role) });

/** A move in words: `Nbxd7+` is "knight b takes d7, check", `47x33x24` is "47 takes 33 takes 24". */
export function inWords(san: string): string {
  if (STOPS.test(san)) return inStops(san);
  const ending = san.endsWith('#') ? `, ${say('move.mate')}` : san.endsWith('+') ? `, ${say('move.check')}` : '';
  const plain = san.replace(/[+#]/g, '');
  if (plain === 'O-O') return say('move.short') + ending;
  if (plain === 'O-O-O') return say('move.long') + ending;
  const [, letter = '', from = '', takes = '', to = '', piece = ''] =
    /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([KQRBN]))?$/.exec(plain) ?? [];
  if (to === '') return san;
  const words = [letter && roleName(letter), from, takes && say('move.takes'), to];
  if (piece) words.push(say('move.becomes', { piece: roleName(piece) }));
  return words.filter(Boolean).join(' ') + ending;
}

/** Squares in sequence, the notation of games other than chess. */
const STOPS = /^[a-q]?\d{1,2}(?:[-x][a-q]?\d{1,2})+$/;

function inStops(text: string): string {
  const [from = '', ...rest] = text.split(/(?=[-x])/);
  return rest.reduce((said, part) => say(part.startsWith('x') ? 'move.leaps' : 'move.steps', { from: said, to: part.slice(1) }), from);
}
