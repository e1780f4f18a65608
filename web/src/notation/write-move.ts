/** Moves in writing: in the letters of a language, with both squares, or in numbers. */

import { ANNOUNCED, FILE_NAMES, PIECE_LETTERS, type Announced, type Letters } from './notation.gen';
import { ROLES, type Placement } from './pieces';

/** How somebody likes moves to be written. */
export interface WritingStyle {
  letters: Letters;
  notation: 'short' | 'long' | 'iccf';
}

const SAN = /^(?:(O-O(?:-O)?)|([KQRBN]?)([a-h]?[1-8]?)(x?)[a-h][1-8](?:=([QRBN]))?)([+#]?)$/;

interface Parts {
  castling: string;
  /** In English, `P` for a pawn. */
  piece: string;
  /** What tells the piece from others of its kind. */
  origin: string;
  takes: boolean;
  promotion: string;
  mark: '' | '+' | '#';
}

/** Null for what is no move of a score. */
function parseSan(san: string): Parts | null {
  const found = SAN.exec(san);
  if (found === null) return null;
  const [, castling = '', piece = '', origin = '', takes = '', promotion = '', mark = ''] = found;
  const mover = castling === '' ? piece || 'P' : 'K';
  return { castling, piece: mover, origin, takes: takes !== '', promotion, mark: mark as Parts['mark'] };
}

/** The letter of `piece`, which is one in English, small or big. */
function letterOf(piece: string, letters: Letters): string {
  return PIECE_LETTERS[letters][ROLES.indexOf(piece.toLowerCase() as (typeof ROLES)[number])] ?? piece;
}

/** A move of the score (`Nf3`) in the letters of a language (`Sf3`). */
export function inLetters(san: string, letters: Letters): string {
  return letters === 'en' || san.startsWith('O') ? san : san.replace(/[KQRBN]/g, (letter) => letterOf(letter, letters));
}

/** Other games than chess have one way of writing a move, and it goes over the wire. */
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

export const isUci = (move: string): boolean => UCI.test(move);

/** The move `uci` of the score, where it is called `san`. */
export function writeMove(uci: string, san: string, { letters, notation }: WritingStyle): string {
  if (!UCI.test(uci)) return san;
  if (notation === 'iccf') return inNumbers(uci);
  return notation === 'long' ? inLongNotation(uci, san, letters) : inLetters(san, letters);
}

/** `Ng1-f3`, `e4xd5`, `e7-e8=Q+`, `O-O`. */
function inLongNotation(uci: string, san: string, letters: Letters): string {
  const parts = parseSan(san);
  if (parts === null || parts.castling !== '') return san;
  const piece = parts.piece === 'P' ? '' : letterOf(parts.piece, letters);
  const promotion = parts.promotion === '' ? '' : `=${letterOf(parts.promotion, letters)}`;
  return `${piece}${uci.slice(0, 2)}${parts.takes ? 'x' : '-'}${uci.slice(2, 4)}${promotion}${parts.mark}`;
}

/** `5254`, `67682`: file and rank of both squares, and 1 to 4 for what a pawn becomes (ICCF). */
function inNumbers(uci: string): string {
  const squares = uci.slice(0, 4).replace(/[a-h]/g, (file) => String('abcdefgh'.indexOf(file) + 1));
  return uci.length < 5 ? squares : squares + String('qrbn'.indexOf(uci.charAt(4)) + 1);
}

/** A move that is in no score yet, on `board`: `Ng1–f3`, or in numbers. */
export function writePlain(uci: string, board: Placement, { letters, notation }: WritingStyle): string {
  if (!UCI.test(uci)) return uci;
  if (notation === 'iccf') return inNumbers(uci);
  const role = board.get(uci.slice(0, 2))?.role ?? 'p';
  const promotion = uci.length < 5 ? '' : `=${letterOf(uci.charAt(4), letters)}`;
  return `${role === 'p' ? '' : letterOf(role, letters)}${uci.slice(0, 2)}–${uci.slice(2, 4)}${promotion}`;
}

/** The same said aloud, for who does not see the board (Appendix E): `Springer Felix drei`, `knight Felix three`. */
export function announce(uci: string, san: string, language: Announced): string {
  const words = ANNOUNCED[language];
  const parts = parseSan(san);
  if (parts === null) return san;
  const mark = words.marks[parts.mark];
  if (parts.castling !== '') return words.castling[parts.castling as keyof typeof words.castling] + mark;
  const piece = (letter: string) => words.pieces[letter.toLowerCase() as keyof typeof words.pieces];
  const said = [piece(parts.piece), ...sayAll(parts.origin, words.ranks)];
  if (parts.takes) said.push(words.takes);
  said.push(...sayAll(uci.slice(2, 4), words.ranks));
  if (parts.promotion !== '') said.push(piece(parts.promotion));
  return said.join(' ') + mark;
}

const sayAll = (square: string, ranks: Record<string, string>): string[] =>
  [...square].map((sign) => (FILE_NAMES as Record<string, string>)[sign] ?? ranks[sign] ?? sign);
