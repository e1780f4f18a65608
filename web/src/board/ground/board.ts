/**
 * A board of our own: pieces that are dragged or clicked, led through their captures, moved ahead of their turn, and
 * that are seen to leap. Which moves there are it is told; of rules it knows none.
 */

import type { Square } from '../../notation/pieces';
import { Arrows } from '../core/arrows';
import type { Ahead, BoardHands, BoardView, OnMove, PlayBoard } from '../core/play-board';
import { nearest, seenFrom, stops, type Ground } from './ground';
import { Choice, waysOf, type Way } from './move-builder';
import { Figures } from './piece-layer';
import { at, size } from './pieces';
import { Early, textOf, type Premove } from './premoves';

const LEFT = 0;
const RIGHT = 2;
/** In pixels: what moves less is a click. */
const DRAGGED = 4;

interface Drag {
  element: HTMLElement;
  from: Square;
  pointer: number;
  x: number;
  y: number;
  /** It was in the hand before: let go of where it stands it is put back. */
  held: boolean;
  moved: boolean;
}

export class GroundBoard implements PlayBoard {
  private readonly field = document.createElement('div');
  private readonly cells = new Map<Square, HTMLElement>();
  private readonly figures: Figures;
  private readonly choice = new Choice();
  private readonly early: Early;
  private readonly arrows: Arrows;
  private view: BoardView | null = null;
  private hands: BoardHands = { input: 'both', animation_ms: 150 };
  private drag: Drag | null = null;
  /** The way of a move that was made here, until the board is told of it. */
  private made: Way | null = null;
  /** A move that was made ahead, whose turn has come. */
  private coming: string | null = null;
  /** The finger that comes down has something to do here. */
  private touching = false;
  private closed = false;

  constructor(
    private readonly ground: Ground,
    private readonly element: HTMLElement,
    private readonly onmove: OnMove,
  ) {
    this.field.className = `ground ${ground.look}`;
    for (const square of ground.places.keys()) {
      const cell = document.createElement('i');
      size(cell, ground);
      cell.dataset.label = square;
      this.cells.set(square, cell);
    }
    this.field.append(...this.cells.values());
    element.append(this.field);
    this.early = new Early(ground);
    this.figures = new Figures(ground, this.field);
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
    const { waiting } = this.early;
    return waiting ? textOf(waiting) : this.coming;
  }

  show(view: BoardView): void {
    const before = this.view;
    if (before && same(before, view)) return;
    this.view = view;
    if (before?.bottom !== view.bottom) this.turn();
    const changed = before?.fen !== view.fen;
    if (changed && before) this.arrows.clear();
    this.arrows.turn(view.bottom);
    if (changed) this.change(view, before === null);
    if (changed || before?.destinations !== view.destinations) this.choice.begin(waysOf(view));
    this.early.show(view, this.figures.standing, changed || view.ahead !== before?.ahead);
    if ((view.ahead ?? null) === null && !this.choice.any) this.early.waiting = null;
    const { dataset } = this.element;
    dataset.fen = view.fen;
    dataset.bottom = view.bottom;
    dataset.movable = String(this.choice.any);
    this.mark();
    if (this.choice.any && this.early.waiting !== null) this.arrive(this.early.waiting);
  }

  handle(hands: BoardHands): void {
    this.hands = hands;
  }

  restore(): void {
    const { view } = this;
    if (view === null) return;
    this.made = null;
    this.letGo();
    this.choice.release();
    this.figures.settle();
    this.element.dataset.movable = String(this.choice.any);
    this.mark();
  }

  forget(): void {
    // A piece that is led through its capture goes back, too.
    if (this.choice.from !== null && this.element.dataset.movable === 'true') this.restore();
    if (this.early.forget()) this.mark();
  }

  ahead(): Ahead | null {
    return this.early.any ? { moves: this.early.moves(), position: this.view!.fen } : null;
  }

  moveAhead(move: string): boolean {
    const path = stops(move);
    const [from, to] = [path[0]!, path.at(-1)!];
    this.forget();
    if (!this.early.set(from, to)) return false;
    this.mark();
    return true;
  }

  close(): void {
    this.closed = true;
    this.figures.land();
    this.arrows.close();
    this.element.removeEventListener('pointerdown', this.down);
    this.element.removeEventListener('pointermove', this.moved);
    this.element.removeEventListener('pointerup', this.up);
    this.element.removeEventListener('pointercancel', this.cancelled);
    this.element.removeEventListener('touchstart', this.touched);
    this.field.remove();
  }

  // --- what is shown ------------------------------------------------------

  private turn(): void {
    const { bottom } = this.view!;
    for (const [square, cell] of this.cells) cell.style.transform = at(this.ground, square, bottom);
    this.figures.turn(bottom);
  }

  private change(view: BoardView, first: boolean): void {
    this.letGo();
    const { made, choice } = this;
    const move = { last: view.last, course: view.course ?? null, made, here: choice.here };
    this.figures.change(this.ground.placement(view.fen), first ? null : move, first ? 0 : this.hands.animation_ms);
    this.made = null;
  }

  /** Everything about the places that is to be seen. */
  private mark(): void {
    const { view, choice, early } = this;
    const { waiting } = early;
    if (view === null) return;
    const { ends, landings } = choice.targets();
    const taking = choice.taking();
    const compelled = choice.compelled();
    const aheadTo = early.marks();
    const last = new Set(view.last);
    for (const [square, cell] of this.cells) {
      const marks = this.ground.holes ? ['hole'] : [];
      if (last.has(square)) marks.push('ground-last');
      if (square === choice.here || square === early.from) marks.push('ground-taken-up');
      if (square === waiting?.from || square === waiting?.to) marks.push('ground-ahead');
      if (choice.from === null && compelled.has(square)) marks.push('ground-must');
      if (taking.has(square)) marks.push('ground-taking');
      if (ends.has(square)) marks.push('ground-end');
      if (landings.has(square)) marks.push('ground-landing');
      if (aheadTo.includes(square)) marks.push('ground-early');
      const name = marks.join(' ');
      if (cell.className !== name) cell.className = name;
    }
    if (waiting === null) delete this.element.dataset.premove;
    else this.element.dataset.premove = textOf(waiting);
    this.element.dataset.walked = choice.walked.join(' ');
  }

  // --- moves ahead of the turn ---------------------------------------------

  /** The turn of what waits has come: it is played if it is legal, once what is drawn now is drawn. */
  private arrive(premove: Premove): void {
    const moves = this.view!.destinations?.get(premove.from)?.get(premove.to);
    this.early.waiting = null;
    this.mark();
    if (moves === undefined) return;
    this.coming = textOf(premove);
    setTimeout(() => {
      this.coming = null;
      if (!this.closed) this.done(moves, true);
    });
  }

  private done(moves: string[], ahead: boolean): void {
    // Until the server has answered; `made` lets a test wait for the piece to be down.
    this.element.dataset.movable = 'false';
    this.element.dataset.made = String(Number(this.element.dataset.made ?? 0) + 1);
    this.onmove(moves, ahead);
  }

  // --- the hand -------------------------------------------------------------

  private readonly down = (event: PointerEvent): void => {
    this.touching = this.choice.any || this.early.any;
    if (event.button === RIGHT) return this.forget();
    if (event.button !== LEFT || !event.isPrimary) return;
    const square = this.squareAt(event);
    if (this.choice.any && this.element.dataset.movable === 'true') this.take(square, event);
    else this.takeEarly(square, event);
  };

  /** No click comes of that touch: it would fall on what the move has brought up, and the whole board would flash. */
  private readonly touched = (event: TouchEvent): void => {
    if (this.touching && event.cancelable) event.preventDefault();
  };

  private take(square: Square | null, event: PointerEvent): void {
    const { choice } = this;
    if (square === null) {
      choice.release();
      return this.restore();
    }
    const held = square === choice.here;
    const targets = choice.targets();
    const ownAgain = held && !targets.ends.has(square);
    const startsHere = choice.starts().has(square) && !targets.ends.has(square) && !targets.landings.has(square);
    if (held && this.hands.input !== 'click' && ownAgain) this.lift(square, event, true);
    else if (startsHere) {
      if (choice.from !== null) this.restore();
      choice.click(square);
      this.mark();
      if (this.hands.input !== 'click') this.lift(square, event, false);
    } else if (this.hands.input !== 'drag') this.go(square);
  }

  /** The piece in the hand is to go to `square`, which was clicked. */
  private go(square: Square): void {
    const { choice } = this;
    const mover = choice.from === null ? undefined : this.figures.at(choice.from);
    const before = choice.here;
    const step = choice.click(square);
    if (step.did === 'made') return this.make(step);
    if (step.did === 'walked' && mover && before !== null) {
      this.figures.lead(mover, before, square, this.hands.animation_ms);
      this.mark();
    } else if (step.did !== 'nothing') {
      const { from } = choice;
      this.restore();
      if (from !== null) choice.click(from);
      this.mark();
    }
  }

  private make(step: { moves: string[]; way: Way }, down: HTMLElement | null = null): void {
    this.made = step.way;
    if (down) this.figures.putDown(down, step.way.path.at(-1)!);
    this.done(step.moves, false);
    this.mark();
  }

  private takeEarly(square: Square | null, event: PointerEvent): void {
    if (!this.early.any) return;
    const did = this.early.press(square, this.hands.input === 'drag');
    if (square !== null && did !== 'nothing' && this.hands.input !== 'click') this.lift(square, event, did === 'held');
    this.mark();
  }

  private lift(square: Square, event: PointerEvent, held: boolean): void {
    const element = this.figures.at(this.choice.from ?? square);
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
    this.figures.carry(drag.element, x, y);
  };

  private readonly up = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    this.letGo();
    const square = this.squareAt(event);
    const early = this.early.from !== null;
    if (!drag.moved) {
      if (drag.held || this.hands.input === 'drag') this.putBack(early);
      return;
    }
    if (early) {
      this.figures.set(drag.element, drag.from);
      if (square !== null) this.early.set(drag.from, square);
      if (square !== drag.from || this.hands.input === 'drag') this.early.from = null;
      return this.mark();
    }
    const step = square === null || square === this.choice.here ? null : this.choice.go(square);
    if (step?.did === 'made') return this.make(step, drag.element);
    this.figures.set(drag.element, this.choice.here ?? drag.from);
    if (step?.did !== 'walked' && square !== drag.from) return this.putBack(false);
    this.mark();
  };

  private readonly cancelled = (event: PointerEvent): void => {
    if (this.drag === null || event.pointerId !== this.drag.pointer) return;
    this.restore();
  };

  /** The piece in the hand goes back to where it was taken up. */
  private putBack(early: boolean): void {
    if (early) {
      this.early.from = null;
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

  /** The place where the pointer is, if it is on one. */
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
    a.ahead === b.ahead &&
    a.last.join() === b.last.join()
  );
}
