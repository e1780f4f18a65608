/** A view-only board of our own that follows a game. It updates only the squares that change. */

import type { Color } from '../../net/protocol';
import type { Placement, Square } from '../../notation/pieces';
import { glides, stopsGliding } from '../core/glide';
import { pathSquares, pieceClass, type Ground } from './ground';
import { at, difference, pieceElement, size } from './pieces';

export class GroundStill {
  readonly element = document.createElement('span');
  private readonly pieces = new Map<Square, HTMLElement>();
  private readonly marks: HTMLElement[] = [];
  private readonly holes: [Square, HTMLElement][] = [];
  private fen = '';
  private last: string | null = null;
  private bottom: Color = 'w';
  private now: Placement = new Map();

  constructor(private readonly ground: Ground) {
    this.element.className = `still ground ${ground.className}`;
    this.element.setAttribute('aria-hidden', 'true');
    this.element.dataset.testid = 'still';
    stopsGliding(this.element);
    if (ground.holes) for (const square of ground.places.keys()) this.holes.push([square, this.mark('hole', square)]);
  }

  /** `last` is a wire move whose squares are marked. */
  show(fen: string, last: string | null, bottom: Color = 'w'): void {
    if (fen === this.fen && last === this.last && bottom === this.bottom) return;
    if (bottom !== this.bottom) {
      this.bottom = bottom;
      for (const [square, element] of [...this.pieces, ...this.holes]) element.style.transform = at(this.ground, square, bottom);
    }
    if (fen !== this.fen) this.change(this.ground.placement(fen));
    this.fen = fen;
    this.last = last;
    this.element.dataset.fen = fen;
    this.point(new Set(last === null ? [] : pathSquares(last)));
  }

  private change(next: Placement): void {
    const { moved, gone, come } = difference(this.now, next);
    const lifted = moved.map(({ from, to, piece }) => {
      const element = this.pieces.get(from)!;
      this.pieces.delete(from);
      glides(element);
      return { element, at: to, piece };
    });
    for (const square of gone) {
      this.pieces.get(square)?.remove();
      this.pieces.delete(square);
    }
    const fresh = come.map(({ at: square, piece }) => ({ element: pieceElement(this.ground, piece), at: square, piece }));
    for (const { element, at: square, piece } of [...lifted, ...fresh]) {
      this.pieces.set(square, element);
      const look = pieceClass(piece);
      if (element.className !== look) element.className = look;
      element.style.transform = at(this.ground, square, this.bottom);
    }
    this.element.append(...fresh.map(({ element }) => element));
    this.now = next;
  }

  private point(squares: ReadonlySet<Square>): void {
    for (const mark of this.marks.splice(0)) mark.remove();
    for (const square of squares) if (this.ground.places.has(square)) this.marks.push(this.mark('ground-last', square));
  }

  /** Below the pieces. */
  private mark(name: string, square: Square): HTMLElement {
    const element = document.createElement('i');
    element.className = name;
    size(element, this.ground);
    element.style.transform = at(this.ground, square, this.bottom);
    this.element.prepend(element);
    return element;
  }
}
