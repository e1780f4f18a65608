/** Moves as people write them: read in any common notation, and told in letters and in words. */

import { destinations, squares, type Square } from './moves';
import type { Color, GameSnapshot } from './protocol';
import type { Settings } from './settings';
import { say, type Key } from './words';

export const ROLES = ['k', 'q', 'r', 'b', 'n', 'p'] as const;
export type Role = (typeof ROLES)[number];

export interface Piece {
  role: Role;
  color: Color;
}

/** Which piece stands where. */
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

type Letters = Settings['letters'];

/** King, queen, rook, bishop, knight. */
const LETTERS: Record<Letters, string> = {
  english: 'KQRBN',
  figurine: '♔♕♖♗♘',
  german: 'KDTLS',
  french: 'RDTFC',
  spanish: 'RDTAC',
};

/** A move of the score (`Nf3`) in the letters a person likes (`Sf3`). */
export function inLetters(san: string, letters: Letters): string {
  if (letters === 'english' || san.startsWith('O')) return san;
  return san.replace(/[KQRBN]/g, (letter) => LETTERS[letters].charAt(LETTERS.english.indexOf(letter)));
}

/** Back to the score's letters, where a piece's letter may stand: first and last. */
function fromLetters(text: string, letters: Letters): string {
  const back = (sign: string) => {
    const at = Math.max(LETTERS.figurine.indexOf(sign), LETTERS[letters].indexOf(sign));
    return at < 0 ? sign : LETTERS.english.charAt(at);
  };
  return text.length < 2 ? text : back(text.charAt(0)) + text.slice(1, -1) + back(text.slice(-1));
}

/** The wire's move, or why there is none. `moves` are those that were possibly meant. */
export type Reading =
  | { move: string }
  | { fault: 'unreadable' | 'illegal' }
  | { fault: 'ambiguous' | 'promotion'; moves: string[] };

type Known = Pick<GameSnapshot, 'variant' | 'position'>;

const COORDINATES = /^([a-h][1-8])[-x:]?([a-h][1-8])([qrbn])?$/i;
const SAN = /^([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])([QRBN]?)$/;
const PAWN_TAKES = /^([a-h])[x:]?([a-h])([QRBN]?)$/;
const CASTLING = /^[O0]-?[O0](-?[O0])?$/i;

/** Read `Nf3`, `nf3`, `e2e4`, `e2-e4`, `exd5`, `ed`, `e8=Q`, `0-0` as one of the `legal` moves. */
export function readMove(text: string, legal: readonly string[], game: Known, letters: Letters = 'english'): Reading {
  const plain = text.replace(/[\s+#!?=()/.]|e\.?p\.?$/g, '');
  if (CASTLING.test(plain)) return one(castlings(legal, game, plain.replace(/-/g, '').length === 3));
  const coordinates = COORDINATES.exec(plain);
  if (coordinates) {
    const [, from = '', to = '', piece = ''] = coordinates.map((part) => part?.toLowerCase());
    return one(promoting(destinations(legal, game).get(from)?.get(to) ?? [], piece));
  }
  const board = placement(game.position);
  const { small, big } = evened(plain);
  // As it is written, then the pawn of that file (`bxc4`), then the piece of that letter (`nf3`).
  const tries = [plain, small, big].flatMap((way) => [fromLetters(way, letters), way]);
  const readings = tries.flatMap((written) => bySan(written, legal, board));
  const found = readings.find((reading) => !('fault' in reading) || reading.fault !== 'illegal');
  return found ?? readings[0] ?? { fault: 'unreadable' };
}

/** Whether no legal move goes on from what is typed: then it may be played without Enter. */
export function isWhole(text: string, legal: readonly string[], game: Known, letters: Letters = 'english'): boolean {
  const reading = readMove(text, legal, game, letters);
  if (!('move' in reading)) return false;
  const more = [...'abcdefgh12345678QRBN'].map((sign) => readMove(text + sign, legal, game, letters));
  if (/^[O0]-?[O0]$/i.test(text)) more.push(readMove(`${text}-O`, legal, game, letters));
  return more.every((longer) => 'fault' in longer && longer.fault !== 'ambiguous' && longer.fault !== 'promotion');
}

function bySan(written: string, legal: readonly string[], board: Placement): Reading[] {
  const san = SAN.exec(written);
  if (san) {
    const [, letter, file = '', rank = '', to = '', piece = ''] = san;
    const role = (letter || 'P').toLowerCase();
    const meant = legal.filter((move) => {
      const [from, target] = squares(move);
      if (board.get(from)?.role !== role || target !== to || isCastling(move, board)) return false;
      // A pawn that takes is written with its file: `d5` is not `exd5`.
      if (role === 'p' && file === '' && from[0] !== to[0]) return false;
      return from.startsWith(file) && from.endsWith(rank);
    });
    return [one(promoting(meant, piece.toLowerCase()))];
  }
  const takes = PAWN_TAKES.exec(written);
  if (!takes) return [];
  const [, from = '', to = '', piece = ''] = takes;
  const meant = legal.filter((move) => board.get(move.slice(0, 2))?.role === 'p' && move[0] === from && move[2] === to);
  return from === to ? [] : [one(promoting(meant, piece.toLowerCase()))];
}

/** Read without regard to big and small, the piece to promote to excepted: it is big in both. */
function evened(text: string): { small: string; big: string } {
  const end = /[1-8][a-z]$/i.test(text) ? text.length - 1 : text.length;
  const small = text.slice(0, end).toLowerCase() + text.slice(end).toUpperCase();
  return { small, big: small.charAt(0).toUpperCase() + small.slice(1) };
}

function promoting(moves: readonly string[], piece: string): string[] {
  return piece === '' ? [...moves] : moves.filter((move) => move.slice(4) === piece);
}

function one(moves: string[]): Reading {
  const [move] = moves;
  if (move === undefined) return { fault: 'illegal' };
  if (moves.length === 1) return { move };
  const same = moves.every((other) => other.slice(0, 4) === move.slice(0, 4));
  return { fault: same ? 'promotion' : 'ambiguous', moves };
}

/** King takes own rook, or the king's two steps. */
function isCastling(move: string, board: Placement): boolean {
  const [from, to] = squares(move);
  const king = board.get(from);
  if (king?.role !== 'k') return false;
  return board.get(to)?.color === king.color || Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) > 1;
}

function castlings(legal: readonly string[], { position }: Known, long: boolean): string[] {
  const board = placement(position);
  return legal.filter((move) => isCastling(move, board) && move.charCodeAt(2) < move.charCodeAt(0) === long).slice(0, 1);
}

export const roleName = (role: string): string => say(`piece.${role.toLowerCase()}` as Key & `piece.${Role}`);

/** `white knight` */
export const pieceName = ({ role, color }: Piece): string => say(`colour.${color}`, { piece: roleName(role) });

/** A move of the score in words: `Nbxd7+` is "knight b takes d7, check". */
export function inWords(san: string): string {
  const ending = san.endsWith('#') ? `, ${say('move.mate')}` : san.endsWith('+') ? `, ${say('move.check')}` : '';
  const plain = san.replace(/[+#]/g, '');
  if (plain === 'O-O') return say('move.short') + ending;
  if (plain === 'O-O-O') return say('move.long') + ending;
  const [, letter = '', from = '', takes = '', to = '', piece = ''] =
    /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/.exec(plain) ?? [];
  if (to === '') return san;
  const words = [letter && roleName(letter), from, takes && say('move.takes'), to];
  if (piece) words.push(say('move.becomes', { piece: roleName(piece) }));
  return words.filter(Boolean).join(' ') + ending;
}
