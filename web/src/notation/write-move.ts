/** Moves in writing: with letters of a language, in long notation, or in ICCF numbers. */

import { ANNOUNCED, FILE_NAMES, PIECE_LETTERS, type Announced, type Letters } from './notation.gen';
import { ROLES, type Placement } from './pieces';

/** How the person wants moves to be written. */
export interface WritingStyle {
  letters: Letters;
  notation: 'short' | 'long' | 'iccf';
}

const SAN = /^(?:(O-O(?:-O)?)|([KQRBN]?)([a-h]?[1-8]?)(x?)[a-h][1-8](?:=([KQRBN]))?)([+#]?)$/;

interface Parts {
  castling: string;
  /** The English letter, `P` for a pawn. */
  piece: string;
  /** Disambiguation. */
  origin: string;
  takes: boolean;
  promotion: string;
  mark: '' | '+' | '#';
}

/** Null if it is not SAN. */
function parseSan(san: string): Parts | null {
  const found = SAN.exec(san);
  if (found === null) return null;
  const [, castling = '', piece = '', origin = '', takes = '', promotion = '', mark = ''] = found;
  const mover = castling === '' ? piece || 'P' : 'K';
  return { castling, piece: mover, origin, takes: takes !== '', promotion, mark: mark as Parts['mark'] };
}

/** The letter of an English `piece` letter, in either case. */
function letterOf(piece: string, letters: Letters): string {
  return PIECE_LETTERS[letters][ROLES.indexOf(piece.toLowerCase() as (typeof ROLES)[number])] ?? piece;
}

/** SAN (`Nf3`) with the letters of a language (`Sf3`). */
export function inLetters(san: string, letters: Letters): string {
  return letters === 'en' || san.startsWith('O') ? san : san.replace(/[KQRBN]/g, (letter) => letterOf(letter, letters));
}

/** Games other than chess have only the notation of the wire. */
const UCI = /^[a-h][1-8][a-h][1-8][kqrbn]?$/;

export const isUci = (move: string): boolean => UCI.test(move);

/** The move `uci`, whose SAN is `san`. */
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

/** `5254`, `67682`: file and rank of both squares, and 1 to 4 for the promotion (ICCF), 5 for a king. */
function inNumbers(uci: string): string {
  const squares = uci.slice(0, 4).replace(/[a-h]/g, (file) => String('abcdefgh'.indexOf(file) + 1));
  return uci.length < 5 ? squares : squares + String('qrbnk'.indexOf(uci.charAt(4)) + 1);
}

/** A move that is not in the score yet, on `board`: `Ng1–f3`, or in numbers. */
export function writePlain(uci: string, board: Placement, { letters, notation }: WritingStyle): string {
  if (!UCI.test(uci)) return uci;
  if (notation === 'iccf') return inNumbers(uci);
  const role = board.get(uci.slice(0, 2))?.role ?? 'p';
  const promotion = uci.length < 5 ? '' : `=${letterOf(uci.charAt(4), letters)}`;
  return `${role === 'p' ? '' : letterOf(role, letters)}${uci.slice(0, 2)}–${uci.slice(2, 4)}${promotion}`;
}

/** The spoken announcement (Appendix E): `Springer Felix drei`, `knight Felix three`. */
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
