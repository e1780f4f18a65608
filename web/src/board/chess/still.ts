/**
 * A view-only chess board that follows a game. It updates only the squares that change: a page has dozens of them,
 * several times a second.
 */

import type { Color } from '../../net/protocol';
import { glides, stopsGliding } from '../core/glide';
import { pieces } from './mini';
import { pieceNameOf } from './piece-names';

/** Letters of the pieces by square number (from a8, by ranks). */
export type Standing = ReadonlyMap<number, string>;

export interface Difference {
  /** The same piece on another square, perhaps promoted. */
  moved: { from: number; to: number; sign: string }[];
  gone: number[];
  come: { at: number; sign: string }[];
}

export const standing = (fen: string): Standing => new Map(pieces(fen).map(({ sign, x, y }) => [8 * y + x, sign]));

/** The smallest set of changes from one position to the other. */
export function difference(was: Standing, now: Standing): Difference {
  const left = [...was].filter(([at, sign]) => now.get(at) !== sign);
  const filled = [...now].filter(([at, sign]) => was.get(at) !== sign);
  const moved: Difference['moved'] = [];
  const come: Difference['come'] = [];
  const pair = (fits: (sign: string, other: string) => boolean, to: number, sign: string): boolean => {
    const index = left.findIndex(([, other]) => fits(sign, other));
    if (index < 0) return false;
    moved.push({ from: left.splice(index, 1)[0]![0], to, sign });
    return true;
  };
  const others = filled.filter(([to, sign]) => !pair((one, other) => one === other, to, sign));
  for (const [to, sign] of others) if (!pair(isPawnOf, to, sign)) come.push({ at: to, sign });
  return { moved, gone: left.map(([at]) => at), come };
}

const isPawnOf = (sign: string, other: string): boolean => other === (sign === sign.toUpperCase() ? 'P' : 'p');

export class ChessStill {
  readonly element = document.createElement('span');
  private readonly marks = [document.createElement('i'), document.createElement('i')] as const;
  private readonly places = new Map<number, HTMLElement>();
  private fen = '';
  private last: string | null = null;
  private bottom: Color = 'w';
  private now: Standing = new Map();

  constructor() {
    this.element.className = 'still cg-wrap';
    this.element.setAttribute('aria-hidden', 'true');
    this.element.dataset.testid = 'still';
    for (const mark of this.marks) {
      mark.className = 'still-mark';
      mark.hidden = true;
    }
    this.element.append(...this.marks);
    stopsGliding(this.element);
  }

  /** `last` is a wire move whose squares are marked. */
  show(fen: string, last: string | null, bottom: Color = 'w'): void {
    if (fen === this.fen && last === this.last && bottom === this.bottom) return;
    if (bottom !== this.bottom) {
      this.bottom = bottom;
      for (const [at, element] of this.places) this.put(element, at);
    }
    if (fen !== this.fen) this.change(standing(fen));
    this.fen = fen;
    this.last = last;
    this.element.dataset.fen = fen;
    this.marks.forEach((mark, index) => {
      const square = last === null ? null : numberOf(last.slice(2 * index, 2 * index + 2));
      mark.hidden = square === null;
      if (square !== null) this.put(mark, square);
    });
  }

  private change(next: Standing): void {
    const { moved, gone, come } = difference(this.now, next);
    const lifted = moved.map(({ from, to, sign }) => {
      const element = this.places.get(from)!;
      this.places.delete(from);
      glides(element);
      return { element, at: to, sign };
    });
    for (const at of gone) {
      this.places.get(at)?.remove();
      this.places.delete(at);
    }
    const fresh = come.map(({ at, sign }) => ({ element: document.createElement('piece'), at, sign }));
    for (const { element, at, sign } of [...lifted, ...fresh]) {
      this.places.set(at, element);
      const name = `${pieceNameOf(sign)} ${sign === sign.toLowerCase() ? 'black' : 'white'}`;
      if (element.className !== name) element.className = name;
      this.put(element, at);
    }
    this.element.append(...fresh.map(({ element }) => element));
    this.now = next;
  }

  // Set through the DOM: the Content-Security-Policy forbids style attributes. In parts of the board: WebKit takes
  // percentages of an element's size in whole pixels.
  private put(element: HTMLElement, at: number): void {
    const seen = this.bottom === 'w' ? at : 63 - at;
    element.style.transform = `translate(${12.5 * (seen % 8)}cqw, ${12.5 * Math.floor(seen / 8)}cqw)`;
  }
}

/** Number of a square; null for an invalid name. */
function numberOf(square: string): number | null {
  return /^[a-h][1-8]$/.test(square) ? square.charCodeAt(0) - 97 + 8 * (8 - Number(square[1])) : null;
}
