/**
 * A board of our own: pieces are dragged or clicked, led through captures, premoved and animated. The board is given
 * the legal moves; it knows no rules.
 */

import type { Square } from '../../notation/pieces';
import { Arrows } from '../core/arrows';
import { MUST_CAPTURE, type BoardOptions, type BoardView, type OnMove, type PlayBoard, type PremoveOptions } from '../core/play-board';
import { nearest, pathSquares, seenFrom, type Ground } from './ground';
import { MoveBuilder, moveOptions, type MoveOption } from './move-builder';
import { PieceLayer } from './piece-layer';
import { at, size } from './pieces';
import { Premoves, textOf, type Premove } from './premoves';

const LEFT = 0;
const RIGHT = 2;
/** In pixels; a shorter move is a click. */
const DRAGGED = 4;
const NONE: ReadonlySet<Square> = new Set();

interface Drag {
  element: HTMLElement;
  from: Square;
  pointer: number;
  x: number;
  y: number;
  /** The piece was selected before: released on its square, it is put back. */
  held: boolean;
  moved: boolean;
}

export class GroundBoard implements PlayBoard {
  private readonly field = document.createElement('div');
  private readonly cells = new Map<Square, HTMLElement>();
  private readonly pieces: PieceLayer;
  private readonly builder = new MoveBuilder();
  private readonly premoves: Premoves;
  private readonly arrows: Arrows;
  private view: BoardView | null = null;
  private options: BoardOptions = { input: 'both', animation_ms: 150 };
  private drag: Drag | null = null;
  /** Path of the move made by hand, until the board is told of it. */
  private made: MoveOption | null = null;
  /** A premove whose turn has come. */
  private coming: string | null = null;
  /** The board handles this touch. */
  private touching = false;
  private closed = false;

  constructor(
    private readonly ground: Ground,
    private readonly element: HTMLElement,
    private readonly onmove: OnMove,
  ) {
    this.field.className = `ground ${ground.className}`;
    for (const square of ground.places.keys()) {
      const cell = document.createElement('i');
      size(cell, ground);
      cell.dataset.label = square;
      this.cells.set(square, cell);
    }
    this.field.append(...this.cells.values());
    element.append(this.field);
    this.premoves = new Premoves(ground);
    this.pieces = new PieceLayer(ground, this.field);
    this.arrows = new Arrows(element, {
      side: 1 / ground.unit,
      squareAt: (x, y, bottom) => nearest(ground, x, y, bottom),
      middle: (square, bottom) => {
        const { x, y } = seenFrom(ground.places.get(square)!, bottom);
        return [x / ground.unit, y / ground.unit];
      },
    });
    this.field.append(this.arrows.element);
    element.addEventListener('pointerdown', this.down);
    element.addEventListener('pointermove', this.moved);
    element.addEventListener('pointerup', this.up);
    element.addEventListener('pointercancel', this.cancelled);
    element.addEventListener('touchstart', this.touched, { passive: false });
  }

  get premove(): string | null {
    const { waiting } = this.premoves;
    return waiting ? textOf(waiting) : this.coming;
  }

  show(view: BoardView): void {
    const before = this.view;
    this.arrows.suggest(view.hint);
    if (before && same(before, view)) return;
    this.view = view;
    if (before?.bottom !== view.bottom) this.turn();
    const changed = before?.fen !== view.fen;
    if (changed && before) this.arrows.clear();
    this.arrows.turn(view.bottom);
    if (changed) this.change(view, before === null);
    // Taken up in the moment before the person may move.
    const early = before?.soon && !changed ? this.premoves.from : null;
    if (changed) this.builder.begin(moveOptions(view));
    else if (before?.destinations !== view.destinations) this.builder.renew(moveOptions(view));
    this.premoves.show(view, this.pieces.standing, changed || view.premoveColor !== before?.premoveColor || view.soon !== before?.soon);
    if ((view.premoveColor ?? null) === null && !this.builder.any) this.premoves.waiting = null;
    if (early !== null && this.builder.starts().has(early)) this.builder.click(early);
    const { dataset } = this.element;
    dataset.fen = view.fen;
    dataset.bottom = view.bottom;
    dataset.movable = String(this.builder.any);
    this.mark();
    if (this.builder.any && this.premoves.waiting !== null) this.arrive(this.premoves.waiting);
  }

  setOptions(hands: BoardOptions): void {
    this.options = hands;
  }

  restore(): void {
    const { view } = this;
    if (view === null) return;
    this.made = null;
    this.letGo();
    this.builder.release();
    this.pieces.resetPositions();
    this.element.dataset.movable = String(this.builder.any);
    this.mark();
  }

  cancelPremove(): void {
    // A piece that is led through a capture goes back too.
    if (this.builder.from !== null && this.element.dataset.movable === 'true') this.restore();
    if (this.premoves.forget()) this.mark();
  }

  premoveOptions(): PremoveOptions | null {
    return this.premoves.any ? { moves: this.premoves.moves(), position: this.view!.fen } : null;
  }

  setPremove(move: string): boolean {
    const path = pathSquares(move);
    const [from, to] = [path[0]!, path.at(-1)!];
    this.cancelPremove();
    if (!this.premoves.set(from, to)) return false;
    this.mark();
    return true;
  }

  close(): void {
    this.closed = true;
    this.pieces.finishAnimations();
    this.arrows.close();
    this.element.removeEventListener('pointerdown', this.down);
    this.element.removeEventListener('pointermove', this.moved);
    this.element.removeEventListener('pointerup', this.up);
    this.element.removeEventListener('pointercancel', this.cancelled);
    this.element.removeEventListener('touchstart', this.touched);
    this.field.remove();
  }

  // --- drawing ------------------------------------------------------------

  private turn(): void {
    const { bottom } = this.view!;
    for (const [square, cell] of this.cells) cell.style.transform = at(this.ground, square, bottom);
    this.pieces.turn(bottom);
  }

  private change(view: BoardView, first: boolean): void {
    this.letGo();
    const { made, builder } = this;
    const move = { last: view.last, course: view.movePath ?? null, made, here: builder.here };
    this.pieces.change(this.ground.placement(view.fen), first ? null : move, first ? 0 : this.options.animation_ms);
    this.made = null;
  }

  /** Set the marks of all squares. */
  private mark(): void {
    const { view, builder, premoves } = this;
    const { waiting } = premoves;
    if (view === null) return;
    const shows = view.hidesTargets !== true;
    const { ends, landings } = shows ? builder.targets() : { ends: NONE, landings: NONE };
    const taking = builder.taking();
    const compelled = shows ? builder.compelled() : NONE;
    const aheadTo = premoves.marks();
    const last = new Set(view.last);
    for (const [square, cell] of this.cells) {
      const marks = this.ground.holes ? ['hole'] : [];
      if (last.has(square)) marks.push('ground-last');
      if (square === builder.here || square === premoves.from) marks.push('ground-taken-up');
      if (square === waiting?.from || square === waiting?.to) marks.push('ground-ahead');
      if (builder.from === null && compelled.has(square)) marks.push('ground-must');
      if (taking.has(square)) marks.push('ground-taking');
      if (ends.has(square)) marks.push('ground-end');
      if (landings.has(square)) marks.push('ground-landing');
      if (aheadTo.includes(square)) marks.push('ground-early');
      const more = view.marks?.get(square);
      if (more !== undefined) marks.push(more);
      const name = marks.join(' ');
      if (cell.className !== name) cell.className = name;
    }
    if (waiting === null) delete this.element.dataset.premove;
    else this.element.dataset.premove = textOf(waiting);
    this.element.dataset.walked = builder.walked.join(' ');
  }

  // --- premoves -------------------------------------------------------------

  /** The premove's turn has come: play it if it is legal, after the current drawing. */
  private arrive(premove: Premove): void {
    const moves = this.view!.destinations?.get(premove.from)?.get(premove.to);
    this.premoves.waiting = null;
    this.mark();
    if (moves === undefined) return;
    this.coming = textOf(premove);
    setTimeout(() => {
      this.coming = null;
      if (!this.closed) this.done(moves, !premove.soon);
    });
  }

  private done(moves: string[], ahead: boolean): void {
    // Until the server answers. Tests wait for `made`.
    this.element.dataset.movable = 'false';
    this.element.dataset.made = String(Number(this.element.dataset.made ?? 0) + 1);
    this.onmove(moves, ahead);
  }

  // --- pointer input --------------------------------------------------------

  private readonly down = (event: PointerEvent): void => {
    this.touching = this.builder.any || this.premoves.any;
    if (event.button === RIGHT) return this.cancelPremove();
    if (event.button !== LEFT || !event.isPrimary) return;
    const square = this.squareAt(event);
    if (this.builder.any && this.element.dataset.movable === 'true') this.take(square, event);
    else this.takeEarly(square, event);
  };

  /** Suppress the click after the touch: it would hit what the move has opened, and some browsers flash the board. */
  private readonly touched = (event: TouchEvent): void => {
    if (this.touching && event.cancelable) event.preventDefault();
  };

  private take(square: Square | null, event: PointerEvent): void {
    const { builder } = this;
    if (square === null) {
      builder.release();
      return this.restore();
    }
    const held = square === builder.here;
    const targets = builder.targets();
    const ownAgain = held && !targets.ends.has(square);
    const startsHere = builder.starts().has(square) && !targets.ends.has(square) && !targets.landings.has(square);
    if (held && this.options.input !== 'click' && ownAgain) this.lift(square, event, true);
    else if (startsHere) {
      if (builder.from !== null) this.restore();
      builder.click(square);
      this.mark();
      if (this.options.input !== 'click') this.lift(square, event, false);
    } else {
      if (this.view?.hidesTargets !== true && builder.compelled().size > 0 && this.isOwn(square) && !targets.ends.has(square)) {
        this.element.dispatchEvent(new Event(MUST_CAPTURE, { bubbles: true }));
      }
      if (this.options.input !== 'drag') this.go(square);
    }
  }

  /** Whether a piece of the side to move stands on `square`. */
  private isOwn(square: Square): boolean {
    const [start] = this.builder.starts();
    const { standing } = this.pieces;
    return start !== undefined && standing.get(square)?.color === standing.get(start)?.color;
  }

  /** Move the selected piece to the clicked `square`. */
  private go(square: Square): void {
    const { builder } = this;
    const mover = builder.from === null ? undefined : this.pieces.at(builder.from);
    const before = builder.here;
    const step = builder.click(square);
    if (step.did === 'made') return this.make(step);
    if (step.did === 'walked' && mover && before !== null) {
      this.pieces.lead(mover, before, square, this.options.animation_ms);
      this.mark();
    } else if (step.did !== 'nothing') {
      const { from } = builder;
      this.restore();
      if (from !== null) builder.click(from);
      this.mark();
    }
  }

  private make(step: { moves: string[]; way: MoveOption }, down: HTMLElement | null = null): void {
    this.made = step.way;
    if (down) this.pieces.putDown(down, step.way.path.at(-1)!);
    this.done(step.moves, false);
    this.mark();
  }

  private takeEarly(square: Square | null, event: PointerEvent): void {
    if (!this.premoves.any) return;
    const did = this.premoves.press(square, this.options.input === 'drag');
    if (square !== null && did !== 'nothing' && this.options.input !== 'click') this.lift(square, event, did === 'held');
    this.mark();
  }

  private lift(square: Square, event: PointerEvent, held: boolean): void {
    const element = this.pieces.at(this.builder.from ?? square);
    if (element === undefined) return;
    this.drag = { element, from: square, pointer: event.pointerId, x: event.clientX, y: event.clientY, held, moved: false };
    this.element.setPointerCapture(event.pointerId);
  }

  private readonly moved = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAGGED) return;
      drag.moved = true;
      drag.element.dataset.dragged = 'true';
    }
    const box = this.field.getBoundingClientRect();
    const side = box.width * this.ground.unit;
    const [x, y] = [event.clientX - box.left - side / 2, event.clientY - box.top - side / 2];
    this.pieces.carry(drag.element, x, y);
  };

  private readonly up = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    this.letGo();
    const square = this.squareAt(event);
    const early = this.premoves.from !== null;
    if (!drag.moved) {
      if (drag.held || this.options.input === 'drag') this.putBack(early);
      return;
    }
    if (early) {
      this.pieces.set(drag.element, drag.from);
      if (square !== null) this.premoves.set(drag.from, square);
      if (square !== drag.from || this.options.input === 'drag') this.premoves.from = null;
      return this.mark();
    }
    const step = square === null || square === this.builder.here ? null : this.builder.go(square);
    if (step?.did === 'made') return this.make(step, drag.element);
    this.pieces.set(drag.element, this.builder.here ?? drag.from);
    if (step?.did !== 'walked' && square !== drag.from) return this.putBack(false);
    this.mark();
  };

  private readonly cancelled = (event: PointerEvent): void => {
    if (this.drag === null || event.pointerId !== this.drag.pointer) return;
    this.restore();
  };

  /** Put the dragged piece back. */
  private putBack(early: boolean): void {
    if (early) {
      this.premoves.from = null;
      this.mark();
    } else this.restore();
  }

  private letGo(): void {
    if (this.drag === null) return;
    const { element, pointer } = this.drag;
    delete element.dataset.dragged;
    if (this.element.hasPointerCapture(pointer)) this.element.releasePointerCapture(pointer);
    this.drag = null;
  }

  /** The square under the pointer, if any. */
  private squareAt({ clientX, clientY }: MouseEvent): Square | null {
    const box = this.field.getBoundingClientRect();
    return nearest(this.ground, (clientX - box.left) / box.width, (clientY - box.top) / box.height, this.view?.bottom ?? 'w');
  }
}

function same(a: BoardView, b: BoardView): boolean {
  return (
    a.fen === b.fen &&
    a.bottom === b.bottom &&
    a.turn === b.turn &&
    a.destinations === b.destinations &&
    a.premoveColor === b.premoveColor &&
    a.marks === b.marks &&
    a.soon === b.soon &&
    a.last.join() === b.last.join()
  );
}
