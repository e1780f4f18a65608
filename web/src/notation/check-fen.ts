/**
 * Validates a typed FEN before the server is asked.
 *
 * Whether the game is over, or a check is possible, is left to the server, which accepts no invalid position.
 */

import type { Color } from '../net/protocol';
import type { PlainKey } from '../words/words';
import { placement, type Placement, type Square } from './pieces';

export type Read = { fen: string; turn: Color } | { fault: PlainKey };

/** Defaults of missing fields. */
const REST = ['w', '-', '-', '0', '1'];

const STEPS = {
  n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
  b: [[1, 1], [1, -1], [-1, -1], [-1, 1]],
  r: [[0, 1], [1, 0], [0, -1], [-1, 0]],
} as const;

/**
 * `chess960`: kings and rooks may start elsewhere, and castling rights may name files.
 * `plainKing`: any number of kings, which cannot be in check and do not castle.
 */
export function readPosition(text: string, chess960: boolean, plainKing = false): Read {
  const parts = text.trim().split(/\s+/);
  if (parts.length > 6) return { fault: 'fen.parts' };
  const [rows = '', turn = '', castling = '', passant = '', still = '', move = ''] = [...parts, ...REST.slice(parts.length - 1)];
  const board = readBoard(rows);
  if (board === null) return { fault: 'fen.board' };
  if (turn !== 'w' && turn !== 'b') return { fault: 'fen.turn' };
  const fault =
    pieceFault(board, plainKing) ??
    (plainKing ? (castling === '-' ? null : 'fen.rooks') : castlingFault(board, castling, chess960)) ??
    passantFault(board, passant, turn) ??
    (/^\d{1,3}$/.test(still) && /^[1-9]\d{0,3}$/.test(move) ? null : 'fen.numbers') ??
    (!plainKing && isAttacked(board, kingOf(board, other(turn))!, turn) ? 'fen.check' : null);
  return fault === null ? { fen: [rows, turn, castling, passant, still, move].join(' '), turn } : { fault };
}

/** The first field of a FEN; null if it is not 8×8. */
export function readBoard(rows: string): Placement | null {
  const lines = rows.split('/');
  const whole = (line: string) =>
    /^[KQRBNPkqrbnp1-8]+$/.test(line) && !/\d\d/.test(line) && [...line].reduce((sum, sign) => sum + (Number(sign) || 1), 0) === 8;
  return lines.length === 8 && lines.every(whole) ? placement(rows) : null;
}

function pieceFault(board: Placement, plainKing: boolean): PlainKey | null {
  const all = [...board.values()];
  for (const color of ['w', 'b'] as const) {
    const own = all.filter((piece) => piece.color === color);
    if (!plainKing && own.filter(({ role }) => role === 'k').length !== 1) return 'fen.kings';
    if (own.length > 16 || own.filter(({ role }) => role === 'p').length > 8) return 'fen.many';
  }
  return [...board].some(([square, { role }]) => role === 'p' && '18'.includes(square[1]!)) ? 'fen.pawns' : null;
}

/**
 * Castling rights by side (`KQkq`; in X-FEN the outermost rook) or by the rook's file (`HAha`, Shredder-FEN); White's
 * first.
 */
function castlingFault(board: Placement, rights: string, chess960: boolean): PlainKey | null {
  if (rights === '-') return null;
  if (!/^(?=.)[KQA-H]{0,2}[kqa-h]{0,2}$/.test(rights)) return 'fen.castling';
  if (new Set(rights).size !== rights.length) return 'fen.castling';
  const sides = [...rights].map((letter) => castlingSide(board, letter, chess960));
  if (sides.includes(null)) return 'fen.rooks';
  // A right given twice, or two to the same side.
  return new Set(sides).size === sides.length ? null : 'fen.castling';
}

/** The right of the letter, as colour and side; null if king and rook are not in place. */
export function castlingSide(board: Placement, letter: string, chess960: boolean): string | null {
  const color: Color = letter === letter.toUpperCase() ? 'w' : 'b';
  const rank = color === 'w' ? '1' : '8';
  const king = kingOf(board, color);
  if (king?.[1] !== rank) return null;
  const home = king[0]!;
  const isRook = (file: string) => {
    const piece = board.get(file + rank);
    return piece?.role === 'r' && piece.color === color;
  };
  const sign = letter.toLowerCase();
  const rooks = [...'abcdefgh'].filter(isRook);
  const file = sign === 'k' ? rooks.findLast((at) => at > home) : sign === 'q' ? rooks.find((at) => at < home) : sign;
  if (file === undefined || !isRook(file)) return null;
  const short = file > home;
  if (!chess960 && (home !== 'e' || file !== (short ? 'h' : 'a'))) return null;
  return color + (short ? 'k' : 'q');
}

function passantFault(board: Placement, square: string, turn: Color): PlainKey | null {
  if (square === '-') return null;
  const [rank, from, to] = turn === 'w' ? ['6', '7', '5'] : ['3', '2', '4'];
  const file = square.charAt(0);
  const pawn = board.get(file + to);
  const fits =
    /^[a-h][36]$/.test(square) &&
    square[1] === rank &&
    !board.has(square) &&
    !board.has(file + from) &&
    pawn?.role === 'p' &&
    pawn.color !== turn;
  return fits ? null : 'fen.passant';
}

/** The squares on which a pawn could be captured en passant. */
export function passantSquares(board: Placement, turn: Color): Square[] {
  return [...'abcdefgh'].map((file) => file + (turn === 'w' ? '6' : '3')).filter((square) => passantFault(board, square, turn) === null);
}

const other = (color: Color): Color => (color === 'w' ? 'b' : 'w');

const kingOf = (board: Placement, color: Color): Square | undefined =>
  [...board].find(([, piece]) => piece.role === 'k' && piece.color === color)?.[0];

/** Whether a piece of `by` attacks `square`. */
function isAttacked(board: Placement, square: string, by: Color): boolean {
  const at = (dx: number, dy: number) => {
    const [x, y] = [square.charCodeAt(0) - 97 + dx, Number(square[1]) + dy];
    return x < 0 || x > 7 || y < 1 || y > 8 ? null : 'abcdefgh'.charAt(x) + y;
  };
  const holds = (place: string | null, roles: string) => {
    const piece = place === null ? undefined : board.get(place);
    return piece?.color === by && roles.includes(piece.role);
  };
  const slides = ([dx, dy]: readonly [number, number], roles: string) => {
    for (let n = 1; n < 8; n += 1) {
      const place = at(dx * n, dy * n);
      if (place === null) return false;
      if (board.has(place)) return holds(place, n === 1 ? `${roles}k` : roles);
    }
    return false;
  };
  const up = by === 'w' ? -1 : 1;
  return (
    holds(at(-1, up), 'p') ||
    holds(at(1, up), 'p') ||
    STEPS.n.some(([dx, dy]) => holds(at(dx, dy), 'n')) ||
    STEPS.b.some((step) => slides(step, 'bq')) ||
    STEPS.r.some((step) => slides(step, 'rq'))
  );
}
