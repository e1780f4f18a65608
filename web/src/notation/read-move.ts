/**
 * Reads a typed move in any notation: letters of the person's language or English, figurines, both squares, ICCF
 * numbers, or an announcement in words. `game_core/chess/notation/move_text.py` reads the same; `tests/data/moves.json`
 * holds both to it.
 */

import type { GameSnapshot } from '../net/protocol';
import { MOST_SIGNS, MOST_WORDS, PIECE_LETTERS, SPOKEN, SPOKEN_CASTLING, WRITTEN_OUT, type Letters } from './notation.gen';
import { placement, ROLES, type Placement, type Role, type Square } from './pieces';
import { squares } from './uci';

/** The wire move, or why there is none. `moves` are the candidates. */
export type Reading =
  | { move: string; draw?: true }
  | { fault: 'unreadable' | 'illegal' }
  | { fault: 'ambiguous'; moves: string[] }
  | { fault: 'promotion'; moves: string[]; draw?: true };

type Known = Pick<GameSnapshot, 'variant' | 'position'>;

/** A partial description of a move; empty parts are not given. */
interface Wanted {
  /** Possible roles. */
  roles: readonly Role[];
  from: string;
  fromRank: string;
  to: string;
  toRank: string;
  promotion: string;
}

/** The meaning of letters. */
interface Alphabet {
  pattern: RegExp;
  pieces: ReadonlyMap<string, readonly Role[]>;
  promotions: ReadonlyMap<string, string>;
}

const DRAW = '(=)';
/** Suffixes of a move. */
const MARK = /(?:\+{1,2}|#|†|‡|[!?]{1,2}|e\.?p\.?|\(=\))$/;
const NUMBER = /^[0-9]{1,4}\.+/;
/** With zeros, Latin or Cyrillic letters, with or without hyphens. */
const CASTLING = /^[0OoОо]-?[0OoОо](-?[0OoОо])?$/;
const PAWN_TAKES = /^([a-h])x?([a-h])$/;
/** A pawn's file is never written twice: in `bb4` one letter is a bishop. */
const NAMED_TWICE = /^([a-h])[-x]?\1[1-8]/;
const NUMERIC = /^([1-8])([1-8])([1-8])([1-8])([1-5]?)$/;
const SQUARE = /^(?:[a-h][1-8]|[a-h]|[1-8])$/;

const SPELLINGS: Record<string, string> = {
  ...Object.fromEntries([...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((dash) => [dash, '-'])),
  '×': 'x',
  ':': 'x',
  '\ufe0e': '',
  '\ufe0f': '',
  ...Object.fromEntries([...'♚♛♜♝♞♟'].map((filled, at) => [filled, [...'♔♕♖♗♘♙'][at]!])),
};

/** Read `text` as one of the `legal` moves. */
export function readMove(text: string, legal: readonly string[], game: Known, letters: Letters = 'en'): Reading {
  if (text.length > MOST_SIGNS) return { fault: 'unreadable' };
  const spelled = [...text.normalize('NFC')].map((sign) => SPELLINGS[sign] ?? sign).join('');
  const { bare, draw } = withoutMarks(spelled.replace(/\s+/g, '').replace(NUMBER, ''));
  const board = placement(game.position);
  const castling = CASTLING.exec(bare) ?? CASTLING.exec(spoken(text) ?? '');
  if (castling) return one(castlings(legal, board, castling[1] === undefined, game), draw);
  const becomes = becomesOf(legal);
  const wanted = algebraic(bare, lettersOf(letters, becomes)) ?? algebraic(spoken(text) ?? '', lettersOf('en', becomes));
  const found = wanted === null ? [] : meant(wanted, legal, board);
  if (found.length > 0) return one(found, draw);
  // Ignoring case.
  const readings = inAnyCase(bare.toLowerCase(), letters, becomes);
  const others = readings.flatMap((other) => meant(other, legal, board));
  if (others.length > 0) return one([...new Set(others)], draw);
  return { fault: wanted === null && readings.length === 0 ? 'unreadable' : 'illegal' };
}

/** Whether no longer move starts with `text`: then it can be played without Enter. */
export function isComplete(text: string, legal: readonly string[], game: Known, letters: Letters = 'en'): boolean {
  // Words may go on, and commands have a letter and a blank.
  if (/\s/.test(text)) return false;
  const reading = readMove(text, legal, game, letters);
  if (!('move' in reading)) return false;
  const signs = [...'abcdefgh12345678', ...lettersOf(letters, becomesOf(legal)).promotions.keys()];
  const more = signs.map((sign) => readMove(text + sign, legal, game, letters));
  if (/^[0OoОо]-?[0OoОо]$/.test(text)) more.push(readMove(`${text}-O`, legal, game, letters));
  return more.every((longer) => 'fault' in longer && longer.fault !== 'ambiguous' && longer.fault !== 'promotion');
}

/** Strip suffixes; tells whether a draw is offered. */
function withoutMarks(text: string): { bare: string; draw: boolean } {
  let bare = text;
  let draw = false;
  for (let mark = MARK.exec(bare); mark !== null; mark = MARK.exec(bare)) {
    draw ||= mark[0] === DRAW;
    bare = bare.slice(0, mark.index);
  }
  return { bare, draw };
}

function algebraic(text: string, alphabet: Alphabet): Wanted | null {
  return NAMED_TWICE.test(text) ? null : (pawnTakes(text) ?? bySquares(text, alphabet));
}

/** All readings of `low` if case is ignored: `b` may be a file or a bishop. */
function inAnyCase(low: string, letters: Letters, becomes: Becomes): Wanted[] {
  const [pieces, bare] = lowered(letters, becomes);
  return [pawnTakes(low), bySquares(low, pieces), bySquares(low, bare)].filter((wanted) => wanted !== null);
}

/** `exd` or `ed`, as on score sheets. */
function pawnTakes(text: string): Wanted | null {
  const [, from, to] = PAWN_TAKES.exec(text) ?? [];
  return from && to ? { roles: ['p'], from, fromRank: '', to, toRank: '', promotion: '' } : null;
}

/** A move that names at least its target square. */
function bySquares(text: string, { pattern, pieces, promotions }: Alphabet): Wanted | null {
  const found = pattern.exec(fromNumbers(text) ?? text);
  if (found === null) return null;
  const [, piece, from = '', fromRank = '', to = '', promotion] = found;
  // Two squares name any piece's move; a pawn's needs only its file.
  const roles = piece === undefined ? (from && fromRank ? ROLES : (['p'] as const)) : pieces.get(piece)!;
  const becomes = promotion === undefined ? '' : promotions.get(promotion)!;
  return { roles, from, fromRank, to: to.charAt(0), toRank: to.charAt(1), promotion: becomes };
}

function fromNumbers(text: string): string | null {
  const found = NUMERIC.exec(text);
  if (found === null) return null;
  const [, from, fromRank, to, toRank, promotion] = found;
  const file = (digit: string | undefined) => 'abcdefgh'.charAt(Number(digit) - 1);
  return `${file(from)}${fromRank}${file(to)}${toRank}${'qrbnk'.charAt(Number(promotion || '9') - 1)}`;
}

/** An announcement as algebraic notation with English letters; null if it has other words. */
function spoken(text: string): string | null {
  const words = text.trimEnd().endsWith(DRAW) ? text.trimEnd().slice(0, -DRAW.length) : text;
  const low = words.normalize('NFC').toLowerCase().replace(/[äöüß]/g, (sign) => WRITTEN_OUT[sign as keyof typeof WRITTEN_OUT]);
  const all = low.split(/\s+/).filter((word) => word !== '');
  if (all.length > MOST_WORDS) return null;
  const signs = all.map((word) => word.replace(/^[,.]+|[,.]+$/g, '')).map((word) => (SQUARE.test(word) ? word : meaning(word)));
  if (signs.includes(null)) return null;
  const said = signs.join('');
  return Object.hasOwn(SPOKEN_CASTLING, said) ? SPOKEN_CASTLING[said as keyof typeof SPOKEN_CASTLING] : said;
}

const meaning = (word: string): string | null =>
  Object.hasOwn(SPOKEN, word) ? SPOKEN[word as keyof typeof SPOKEN] : null;

// --- letters ------------------------------------------------------------------------------------------

/** What a pawn may become, by letters: where it may become a king, their letters are different in some languages. */
type Becomes = 'qrbn' | 'qrbnk';

const alphabets = new Map<string, Alphabet>();
const loweredAlphabets = new Map<string, readonly [Alphabet, Alphabet]>();

const becomesOf = (legal: readonly string[]): Becomes => (legal.some((move) => move.length === 5 && move.endsWith('k')) ? 'qrbnk' : 'qrbn');

/**
 * Figurines and unambiguous English letters are always accepted. If the language's pawn letter is also an English piece
 * letter it means both: pawn letters are rarely written, but must not move a bishop instead.
 */
function lettersOf(language: Letters, becomes: Becomes): Alphabet {
  const known = alphabets.get(language + becomes);
  if (known) return known;
  const pieces = new Map<string, readonly Role[]>();
  const promotions = new Map([...becomes].map((role) => [role, role]));
  for (const letters of [PIECE_LETTERS.figurine, PIECE_LETTERS.en, PIECE_LETTERS[language]]) {
    ROLES.forEach((role, at) => {
      const letter = letters[at]!;
      const others = role === 'p' ? (pieces.get(letter) ?? []).filter((other) => other !== 'p') : [];
      pieces.set(letter, [role, ...others]);
      if (becomes.includes(role)) promotions.set(letter, role);
    });
  }
  const made = alphabet(pieces, promotions);
  alphabets.set(language + becomes, made);
  return made;
}

/** The same for lower case, with and without piece letters; the language's letters come before those of the wire. */
function lowered(language: Letters, becomes: Becomes): readonly [Alphabet, Alphabet] {
  const known = loweredAlphabets.get(language + becomes);
  if (known) return known;
  const { pieces, promotions } = lettersOf(language, becomes);
  const isBig = ([letter]: [string, string]) => !becomes.includes(letter);
  const low = new Map([...becomes].map((role) => [role, role]));
  for (const [letter, role] of [...promotions].filter(isBig)) low.set(letter.toLowerCase(), role);
  const small = new Map([...pieces].map(([letter, roles]) => [letter.toLowerCase(), roles]));
  const made = [alphabet(small, low), alphabet(new Map(), low)] as const;
  loweredAlphabets.set(language + becomes, made);
  return made;
}

function alphabet(pieces: Alphabet['pieces'], promotions: Alphabet['promotions']): Alphabet {
  const promotion = `(?:[=/(]?(${anyOf(promotions)})\\)?)?`;
  const pattern = new RegExp(`^(${anyOf(pieces)})?([a-h])?([1-8])?[-x]?([a-h][1-8])${promotion}$`, 'u');
  return { pattern, pieces, promotions };
}

/** A pattern for any of these letters; one that never matches if there are none. */
const anyOf = (letters: ReadonlyMap<string, unknown>): string =>
  [...letters.keys()].sort((a, b) => b.length - a.length).join('|') || '(?!)';

// --- matching ------------------------------------------------------------------------------------------

function meant(wanted: Wanted, legal: readonly string[], board: Placement): string[] {
  const fits = (square: Square, file: string, rank: string) => square.startsWith(file) && square.endsWith(rank);
  const ordinary = legal.filter((move) => {
    const [from, to] = squares(move);
    const role = board.get(from)?.role;
    if (role === undefined || !wanted.roles.includes(role) || castledRook(move, board) !== null) return false;
    if (wanted.promotion !== '' && move.slice(4) !== wanted.promotion) return false;
    // A pawn capture names its file: `d5` is not `exd5`.
    if (wanted.from === '' && role === 'p' && from[0] !== to[0]) return false;
    return fits(from, wanted.from, wanted.fromRank) && fits(to, wanted.to, wanted.toRank);
  });
  const told = wanted.from && wanted.fromRank && wanted.to && wanted.toRank;
  if (ordinary.length > 0 || !told || !wanted.roles.includes('k')) return ordinary;
  return castlingTo(wanted.from + wanted.fromRank, wanted.to + wanted.toRank, legal, board);
}

/** The castling rook: the one the king "captures", or the one its two steps go towards. Null for other moves. */
function castledRook(move: string, board: Placement): Square | null {
  const [from, to] = squares(move);
  const king = board.get(from);
  if (king?.role !== 'k') return null;
  const target = board.get(to);
  if (target?.role === 'r' && target.color === king.color) return to;
  const way = to.charCodeAt(0) - from.charCodeAt(0);
  return Math.abs(way) > 1 ? (way > 0 ? 'h' : 'a') + from.slice(1) : null;
}

/** Castling given by the king's square and either the rook's or the king's target. */
function castlingTo(from: Square, to: Square, legal: readonly string[], board: Placement): string[] {
  const found = legal.filter((move) => {
    const rook = move.startsWith(from) ? castledRook(move, board) : null;
    return rook !== null && (to === rook || to === (rook > from ? 'g' : 'c') + from.slice(1));
  });
  const same = found.find((move) => move.slice(2, 4) === to) ?? found[0];
  return same === undefined ? [] : [same];
}

/** Castling to a side. As a premove several king moves could mean it. */
function castlings(legal: readonly string[], board: Placement, short: boolean, { variant }: Known): string[] {
  const steps = (move: string) => Math.abs(move.charCodeAt(2) - move.charCodeAt(0));
  const found = legal
    .filter((move) => castledRook(move, board) !== null && move.charCodeAt(2) > move.charCodeAt(0) === short)
    .sort((a, b) => steps(b) - steps(a));
  const two = variant === 'standard' ? found.find((move) => steps(move) === 2) : undefined;
  return found.length === 0 ? [] : [two ?? found[0]!];
}

function one(moves: readonly string[], draw: boolean): Reading {
  const offer = draw ? ({ draw: true } as const) : {};
  const [move] = moves;
  if (move === undefined) return { fault: 'illegal' };
  if (moves.length === 1) return { move, ...offer };
  const same = moves.every((other) => other.slice(0, 4) === move.slice(0, 4));
  return same ? { fault: 'promotion', moves: [...moves], ...offer } : { fault: 'ambiguous', moves: [...moves].sort() };
}
