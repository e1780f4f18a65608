/**
 * The star of Chinese checkers: 121 holes in rows `a` (White's tip) to `q`, each row numbered from the left as White
 * sees it. Positions read `b/bb/…/ww/w w`, the rows from Black's tip down (docs/chinese-checkers.md).
 */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';
import type { Ground, Place } from '../ground/ground';

const LETTERS = 'abcdefghijklmnopq';
/** Holes in each row. */
const ROWS = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
/** Size of the board in distances between neighbours: seventeen rows and a margin. */
const SIDE = 15;
const RISE = Math.sqrt(3) / 2;
const MIDDLE = 8;
const WIDEST = 12;

/** White's pieces besides those in the point of ten. */
const MORE: Record<string, readonly Square[]> = { fifteen: ['e5', 'e6', 'e7', 'e8', 'e9'], ten: [] };

const PLACES: ReadonlyMap<Square, Place> = new Map(
  [...LETTERS].reverse().flatMap((letter, fromTop) => {
    const length = ROWS[fromTop]!;
    return Array.from({ length }, (_, place): [Square, Place] => {
      // In half distances, right of the centre.
      const right = 2 * place - length + 1;
      const y = 0.5 + ((fromTop - MIDDLE) * RISE) / SIDE;
      return [`${letter}${place + 1}`, { column: right + WIDEST, row: fromTop, x: 0.5 + right / 2 / SIDE, y }];
    });
  }),
);

const NAMES = [...PLACES.keys()];

const made = new Map<string, Ground>();

export function groundOf(variant: string): Ground {
  const known = made.get(variant);
  if (known) return known;
  const ground = make(MORE[variant]);
  made.set(variant, ground);
  return ground;
}

function make(more: readonly Square[] | undefined): Ground {
  if (more === undefined) throw new Error('a game on the star that this page does not know');
  return {
    className: 'star',
    unit: 1 / SIDE,
    columns: 2 * WIDEST + 1,
    rows: ROWS.length,
    places: PLACES,
    holes: true,
    first: 'w',
    start: write(startOf(more), 'w'),
    removesLeapByLeap: false,
    mandatoryCapture: false,
    placement,
    write,
    afterMove: (piece) => piece,
    reaches: (_, from, to) => reaches(PLACES.get(from)!, PLACES.get(to)!),
  };
}

function startOf(more: readonly Square[]): Map<Square, Piece> {
  const white = NAMES.filter((name) => 'abcd'.includes(name.charAt(0)) || more.includes(name));
  // Black's start is White's, rotated by half a turn.
  const black = white.map((name) => NAMES[NAMES.length - 1 - NAMES.indexOf(name)]!);
  const put = (names: readonly Square[], color: Color) => names.map((name): [Square, Piece] => [name, { role: 'o', color }]);
  return new Map([...put(black, 'b'), ...put(white, 'w')]);
}

function placement(fen: string): Placement {
  const board = new Map<Square, Piece>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.slice(0, ROWS.length).forEach((row, fromTop) => {
    const letter = LETTERS.charAt(ROWS.length - 1 - fromTop);
    let place = 1;
    for (const part of row.match(/[wb]|\d{1,2}/g) ?? []) {
      if (part === 'w' || part === 'b') {
        const name = `${letter}${place}`;
        if (PLACES.has(name)) board.set(name, { role: 'o', color: part });
        place += 1;
      } else place += Number(part);
    }
  });
  return board;
}

function write(board: Placement, turn: Color): string {
  const rows = ROWS.map((length, fromTop) => {
    const letter = LETTERS.charAt(ROWS.length - 1 - fromTop);
    const signs = Array.from({ length }, (_, place) => board.get(`${letter}${place + 1}`)?.color ?? '.');
    return signs.join('').replace(/\.+/g, (empty) => String(empty.length));
  });
  return `${rows.join('/')} ${turn}`;
}

/** A step to a neighbour, or hops, each of which is two distances long. */
function reaches(from: Place, to: Place): boolean {
  const [across, up] = [Math.abs(to.column - from.column), Math.abs(to.row - from.row)];
  if (across === 0 && up === 0) return false;
  if ((up === 0 && across === 2) || (up === 1 && across === 1)) return true;
  return up % 2 === 0 && (across + up) % 4 === 0;
}
