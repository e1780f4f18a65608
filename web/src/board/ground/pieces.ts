/** Elements of pieces on a board of our own. */

import '../../styles/ground.css';
import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';
import { pieceClass, seenFrom, type Ground } from './ground';

export interface Difference {
  /** The same piece on another square, perhaps crowned. */
  moved: { from: Square; to: Square; piece: Piece }[];
  gone: Square[];
  come: { at: Square; piece: Piece }[];
}

const isSame = (one: Piece | undefined, other: Piece | undefined): boolean =>
  one?.role === other?.role && one?.color === other?.color;

/** The smallest set of changes from one position to the other. */
export function difference(was: Placement, now: Placement): Difference {
  const left = [...was].filter(([at, piece]) => !isSame(piece, now.get(at)));
  const filled = [...now].filter(([at, piece]) => !isSame(piece, was.get(at)));
  const moved: Difference['moved'] = [];
  const come: Difference['come'] = [];
  const pair = (fits: (old: Piece) => boolean, to: Square, piece: Piece): boolean => {
    const index = left.findIndex(([, old]) => fits(old));
    if (index < 0) return false;
    moved.push({ from: left.splice(index, 1)[0]![0], to, piece });
    return true;
  };
  const others = filled.filter(([to, piece]) => !pair((old) => isSame(old, piece), to, piece));
  // A man that was crowned, or, going back, a king that was not one yet.
  for (const [at, piece] of others) if (!pair(({ color }) => color === piece.color, at, piece)) come.push({ at, piece });
  return { moved, gone: left.map(([at]) => at), come };
}

// Set through the DOM: the Content-Security-Policy forbids style attributes.
export function size(element: HTMLElement, { unit }: Ground): void {
  element.style.width = element.style.height = `${100 * unit}%`;
}

/** The `transform` that puts an element of a square's size on `square`. */
export function at(ground: Ground, square: Square, bottom: Color): string {
  const { x, y } = seenFrom(ground.places.get(square)!, bottom);
  // In parts of the board: WebKit takes percentages of an element's size in whole pixels.
  const part = (middle: number) => +(100 * (middle - ground.unit / 2)).toFixed(3);
  return `translate(${part(x)}cqw, ${part(y)}cqw)`;
}

export function pieceElement(ground: Ground, piece: Piece): HTMLElement {
  const element = document.createElement('b');
  element.className = pieceClass(piece);
  size(element, ground);
  return element;
}
