/** The pieces on a board of our own, and their way from one position to the next. */

import type { Color } from '../../net/protocol';
import type { Piece, Placement, Square } from '../../notation/pieces';
import type { MovePath } from '../core/move-path';
import { pieceClass, type Ground } from './ground';
import type { MoveOption } from './move-builder';
import { PieceAnimations } from './piece-animation';
import { difference, pieceElement } from './pieces';

/** What is known of the last move, besides its position. */
export interface LastMove {
  /** Start and end square. */
  last: readonly Square[];
  /** Its path; null if not known or a plain step. */
  course: MovePath | null;
  /** The path chosen by hand, and how far the piece was led. */
  made: MoveOption | null;
  here: Square | null;
}

export class PieceLayer {
  /** The position; moving pieces count where they go to. */
  standing: Placement = new Map();
  private readonly elements = new Map<Square, HTMLElement>();
  private readonly animations: PieceAnimations;
  private bottom: Color = 'w';

  constructor(
    private readonly ground: Ground,
    private readonly field: HTMLElement,
  ) {
    this.animations = new PieceAnimations(ground, field);
  }

  at(square: Square): HTMLElement | undefined {
    return this.elements.get(square);
  }

  /** Show the board from that side, at once. */
  turn(bottom: Color): void {
    this.bottom = bottom;
    this.finishAnimations();
    this.resetPositions();
  }

  /** Finish all animations at once. */
  finishAnimations(): void {
    this.animations.finishAll();
  }

  /** Put each piece on its square: undo a drag or a partial capture. */
  resetPositions(): void {
    for (const [square, element] of this.elements) this.set(element, square);
  }

  /** Show `element` on `square` at once. */
  set(element: HTMLElement, square: Square): void {
    this.animations.set(element, square, this.bottom);
  }

  /** The piece was dropped at the end of its move: it needs no animation. */
  putDown(element: HTMLElement, square: Square): void {
    element.dataset.down = 'true';
    this.set(element, square);
  }

  /** Follow the pointer. */
  carry(element: HTMLElement, x: number, y: number): void {
    this.animations.drop(element);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Animate to a landing of an unfinished move. */
  lead(element: HTMLElement, from: Square, to: Square, ms: number): void {
    this.animations.leap({ mover: element, from, path: [to], became: element.className, taken: [], bottom: this.bottom, ms });
  }

  /** Change to position `next`, by the last move if it leads there; a jump takes `ms`. */
  change(next: Placement, move: LastMove | null, ms: number): void {
    this.finishAnimations();
    const course = move && this.courseOf(move, next);
    if (move && course) this.leap(course, move, next, ms);
    else this.slide(next, ms);
    this.standing = next;
  }

  /** Path of the last move, if it leads to `next`. */
  private courseOf({ course, last, made }: LastMove, next: Placement): MovePath | null {
    if (last.length < 2) return null;
    const [from, to] = [last[0]!, last.at(-1)!];
    const piece = this.standing.get(from);
    const arrived = next.get(to);
    if (piece === undefined || piece.color !== arrived?.color || (from !== to && (next.has(from) || this.standing.has(to)))) return null;
    const known = course ?? { from, path: [to], taken: [] };
    if (this.standing.size - known.taken.length !== next.size) return null;
    const sameTaken = made?.taken.toSorted().join() === known.taken.toSorted().join();
    return made?.from === from && made.path.at(-1) === to && sameTaken ? made : known;
  }

  private leap(course: MovePath, { made, here }: LastMove, next: Placement, ms: number): void {
    const to = course.path.at(-1)!;
    const mover = this.elements.get(course.from);
    if (mover === undefined) return this.slide(next, 0);
    const taken = course.taken.map((square) => [square, this.elements.get(square)] as const);
    this.elements.delete(course.from);
    for (const [square] of taken) this.elements.delete(square);
    this.elements.set(to, mover);
    // Led by hand, the piece may be part of the way already, or all of it.
    const came = made === course ? course.path.indexOf(here ?? '') + 1 : 0;
    const done = mover.dataset.down === 'true' ? course.path.length : came;
    delete mover.dataset.down;
    this.animations.leap({
      mover,
      from: done === 0 ? course.from : course.path[done - 1]!,
      path: course.path.slice(done),
      became: pieceClass(next.get(to)!),
      taken: taken.map(([, element], index) => ({ element: element ?? null, leap: this.ground.removesLeapByLeap ? Math.max(0, index - done) : Infinity })),
      bottom: this.bottom,
      ms,
    });
    // Corrects any difference from the move, which should never occur.
    this.agree(next);
  }

  /** Move each piece to its place in `next` by the shortest way. */
  private slide(next: Placement, ms: number): void {
    const { moved, gone, come } = difference(this.standing, next);
    const lifted = moved.map(({ from, to, piece }) => {
      const element = this.elements.get(from);
      this.elements.delete(from);
      return { element, from, to, piece };
    });
    for (const square of gone) {
      this.elements.get(square)?.remove();
      this.elements.delete(square);
    }
    for (const { element, from, to, piece } of lifted) {
      if (element === undefined) continue;
      delete element.dataset.down;
      this.elements.set(to, element);
      this.animations.leap({ mover: element, from, path: [to], became: pieceClass(piece), taken: [], bottom: this.bottom, ms });
    }
    for (const { at: square, piece } of come) this.put(square, piece);
    this.agree(next);
  }

  private agree(next: Placement): void {
    for (const [square, element] of this.elements) {
      if (next.has(square)) continue;
      element.remove();
      this.elements.delete(square);
    }
    for (const [square, piece] of next) {
      const element = this.elements.get(square);
      if (element === undefined) this.put(square, piece);
      else if (!this.animations.has(element)) {
        element.className = pieceClass(piece);
        this.set(element, square);
      }
    }
  }

  private put(square: Square, piece: Piece): void {
    const element = pieceElement(this.ground, piece);
    this.set(element, square);
    this.elements.set(square, element);
    this.field.append(element);
  }
}
