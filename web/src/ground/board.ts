/**
 * A board of our own: pieces that are dragged or clicked, led through their captures, moved ahead of their turn, and
 * that are seen to leap. Which moves there are it is told; of rules it knows none.
 */

import { Arrows } from '../arrows';
import type { Ahead, BoardHands, BoardView, OnMove, PlayBoard } from '../board';
import type { Square } from '../moves';
import type { Placement } from '../notation';
import type { Color } from '../protocol';
import { Choice, type Way } from './choice';
import { lookOf, seenFrom, stops, type Course, type Ground } from './ground';
import { Flight } from './flight';
import { at, difference, pieceElement, size } from './pieces';

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

interface Premove {
  from: Square;
  to: Square;
}

const textOf = ({ from, to }: Premove): string => `${from}-${to}`;

export class GroundBoard implements PlayBoard {
  private readonly field = document.createElement('div');
  private readonly cells = new Map<Square, HTMLElement>();
  private readonly pieces = new Map<Square, HTMLElement>();
  private readonly flight: Flight;
  private readonly choice = new Choice();
  private readonly arrows: Arrows;
  private standing: Placement = new Map();
  private view: BoardView | null = null;
  private hands: BoardHands = { input: 'both', animation_ms: 150 };
  private drag: Drag | null = null;
  /** The way of a move that was made here, until the board is told of it. */
  private made: Way | null = null;
  /** The piece that was taken up ahead of its turn. */
  private early: Square | null = null;
  private waiting: Premove | null = null;
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
    this.flight = new Flight(ground, this.field);
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
    return this.waiting ? textOf(this.waiting) : this.coming;
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
    if (changed || view.ahead !== before?.ahead) this.early = null;
    if ((view.ahead ?? null) === null && !this.choice.any) this.waiting = null;
    const { dataset } = this.element;
    dataset.fen = view.fen;
    dataset.bottom = view.bottom;
    dataset.movable = String(this.choice.any);
    this.mark();
    if (this.choice.any && this.waiting !== null) this.arrive(this.waiting);
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
    for (const [square, element] of this.pieces) this.flight.set(element, square, view.bottom);
    this.element.dataset.movable = String(this.choice.any);
    this.mark();
  }

  forget(): void {
    // A piece that is led through its capture goes back, too.
    if (this.choice.from !== null && this.element.dataset.movable === 'true') this.restore();
    if (this.waiting === null && this.early === null) return;
    this.waiting = null;
    this.early = null;
    this.mark();
  }

  ahead(): Ahead | null {
    const color = this.aheadColor();
    if (color === null) return null;
    const moves = [...this.standing].flatMap(([from, piece]) =>
      piece.color === color ? this.aheadFrom(from).map((to) => textOf({ from, to })) : [],
    );
    return { moves, position: this.view!.fen };
  }

  moveAhead(move: string): boolean {
    const path = stops(move);
    const [from, to] = [path[0]!, path.at(-1)!];
    this.forget();
    if (this.aheadColor() === null || !this.aheadFrom(from).includes(to)) return false;
    this.waiting = { from, to };
    this.mark();
    return true;
  }

  close(): void {
    this.closed = true;
    this.flight.land();
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
    this.flight.land();
    for (const [square, cell] of this.cells) cell.style.transform = at(this.ground, square, bottom);
    for (const [square, element] of this.pieces) this.flight.set(element, square, bottom);
  }

  private change(view: BoardView, first: boolean): void {
    const next = this.ground.placement(view.fen);
    this.letGo();
    this.flight.land();
    const ms = first ? 0 : this.hands.animation_ms;
    const course = first ? null : this.courseOf(view, next);
    if (course) this.leap(course, next, ms);
    else this.slide(next, ms);
    this.made = null;
    this.standing = next;
  }

  /** The last move, if it leads from what stands here to `next`. */
  private courseOf({ course, last }: BoardView, next: Placement): Course | null {
    if (last.length < 2) return null;
    const [from, to] = [last[0]!, last.at(-1)!];
    const piece = this.standing.get(from);
    const arrived = next.get(to);
    if (piece === undefined || piece.color !== arrived?.color || (from !== to && (next.has(from) || this.standing.has(to)))) return null;
    const known = course ?? { from, path: [to], taken: [] };
    if (this.standing.size - known.taken.length !== next.size) return null;
    const { made } = this;
    const sameTaken = made?.taken.toSorted().join() === known.taken.toSorted().join();
    return made?.from === from && made.path.at(-1) === to && sameTaken ? made : known;
  }

  private leap(course: Course, next: Placement, ms: number): void {
    const { bottom } = this.view!;
    const to = course.path.at(-1)!;
    const mover = this.pieces.get(course.from);
    if (mover === undefined) return this.slide(next, 0);
    const taken = course.taken.map((square) => [square, this.pieces.get(square)] as const);
    this.pieces.delete(course.from);
    for (const [square] of taken) this.pieces.delete(square);
    this.pieces.set(to, mover);
    // By hand it may have come a part of its way already, or all of it.
    const came = this.made === course ? course.path.indexOf(this.choice.here ?? '') + 1 : 0;
    const done = mover.dataset.down === 'true' ? course.path.length : came;
    delete mover.dataset.down;
    this.flight.leap({
      mover,
      from: done === 0 ? course.from : course.path[done - 1]!,
      path: course.path.slice(done),
      became: lookOf(next.get(to)!),
      taken: taken.map(([, element], index) => ({ element: element ?? null, leap: this.ground.atOnce ? Math.max(0, index - done) : Infinity })),
      bottom,
      ms,
    });
    // What was not as the move has it (it never should be) is put right.
    this.agree(next);
  }

  /** Everything where `next` has it, by the shortest ways. */
  private slide(next: Placement, ms: number): void {
    const { bottom } = this.view!;
    const { moved, gone, come } = difference(this.standing, next);
    const lifted = moved.map(({ from, to, piece }) => {
      const element = this.pieces.get(from);
      this.pieces.delete(from);
      return { element, from, to, piece };
    });
    for (const square of gone) {
      this.pieces.get(square)?.remove();
      this.pieces.delete(square);
    }
    for (const { element, from, to, piece } of lifted) {
      if (element === undefined) continue;
      delete element.dataset.down;
      this.pieces.set(to, element);
      this.flight.leap({ mover: element, from, path: [to], became: lookOf(piece), taken: [], bottom, ms });
    }
    for (const { at: square, piece } of come) this.put(square, piece);
    this.agree(next);
  }

  private agree(next: Placement): void {
    const { bottom } = this.view!;
    for (const [square, element] of this.pieces) {
      if (next.has(square)) continue;
      element.remove();
      this.pieces.delete(square);
    }
    for (const [square, piece] of next) {
      const element = this.pieces.get(square);
      if (element === undefined) this.put(square, piece);
      else if (!this.flight.has(element)) {
        element.className = lookOf(piece);
        this.flight.set(element, square, bottom);
      }
    }
  }

  private put(square: Square, piece: Parameters<typeof lookOf>[0]): void {
    const element = pieceElement(this.ground, piece);
    this.flight.set(element, square, this.view!.bottom);
    this.pieces.set(square, element);
    this.field.append(element);
  }

  /** Everything about the places that is to be seen. */
  private mark(): void {
    const { view, choice, waiting, early } = this;
    if (view === null) return;
    const { ends, landings } = choice.targets();
    const taking = choice.taking();
    const compelled = choice.compelled();
    const aheadTo = early === null ? [] : this.aheadFrom(early);
    const last = new Set(view.last);
    for (const [square, cell] of this.cells) {
      const marks = this.ground.holes ? ['hole'] : [];
      if (last.has(square)) marks.push('ground-last');
      if (square === choice.here || square === early) marks.push('ground-taken-up');
      if (square === waiting?.from || square === waiting?.to) marks.push('ground-ahead');
      if (choice.from === null && compelled.has(square)) marks.push('ground-must');
      if (taking.has(square)) marks.push('ground-taking');
      if (ends.has(square)) marks.push('ground-end');
      if (landings.has(square)) marks.push('ground-landing');
      if (aheadTo.includes(square) && aheadTo.length < MANY) marks.push('ground-early');
      const name = marks.join(' ');
      if (cell.className !== name) cell.className = name;
    }
    if (waiting === null) delete this.element.dataset.premove;
    else this.element.dataset.premove = textOf(waiting);
    this.element.dataset.walked = choice.walked.join(' ');
  }

  // --- moves ahead of the turn ---------------------------------------------

  private aheadColor(): BoardView['turn'] | null {
    const { view } = this;
    const color = view?.ahead ?? null;
    return view === null || color === null || color === view.turn ? null : color;
  }

  private aheadFrom(from: Square): Square[] {
    const piece = this.standing.get(from);
    if (piece === undefined || piece.color !== this.aheadColor()) return [];
    return [...this.ground.places.keys()].filter(
      (to) => this.standing.get(to)?.color !== piece.color && this.ground.reaches(piece, from, to),
    );
  }

  /** The turn of what waits has come: it is played if it is legal, once what is drawn now is drawn. */
  private arrive(premove: Premove): void {
    const moves = this.view!.destinations?.get(premove.from)?.get(premove.to);
    this.waiting = null;
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
    this.touching = this.choice.any || this.aheadColor() !== null;
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
    const mover = choice.from === null ? undefined : this.pieces.get(choice.from);
    const before = choice.here;
    const step = choice.click(square);
    if (step.did === 'made') return this.make(step);
    if (step.did === 'walked' && mover && before !== null) {
      this.flight.leap({ mover, from: before, path: [square], became: mover.className, taken: [], bottom: this.view!.bottom, ms: this.hands.animation_ms });
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
    if (down) {
      down.dataset.down = 'true';
      this.flight.set(down, step.way.path.at(-1)!, this.view!.bottom);
    }
    this.done(step.moves, false);
    this.mark();
  }

  private takeEarly(square: Square | null, event: PointerEvent): void {
    const color = this.aheadColor();
    if (color === null) return;
    const { early } = this;
    const had = this.waiting !== null;
    this.waiting = null;
    this.early = null;
    if (square !== null && early !== null && square !== early && this.hands.input !== 'drag' && this.aheadFrom(early).includes(square)) {
      this.waiting = { from: early, to: square };
    } else if (square !== null && this.standing.get(square)?.color === color && !(had && square === early)) {
      this.early = square;
      if (this.hands.input !== 'click') this.lift(square, event, square === early);
    }
    this.mark();
  }

  private lift(square: Square, event: PointerEvent, held: boolean): void {
    const element = this.pieces.get(this.choice.from ?? square);
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
    this.flight.drop(drag.element);
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
  };

  private readonly up = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || event.pointerId !== drag.pointer) return;
    this.letGo();
    const square = this.squareAt(event);
    const early = this.early !== null;
    if (!drag.moved) {
      if (drag.held || this.hands.input === 'drag') this.putBack(early);
      return;
    }
    if (early) {
      this.flight.set(drag.element, drag.from, this.view!.bottom);
      if (square !== null && this.aheadFrom(drag.from).includes(square)) this.waiting = { from: drag.from, to: square };
      if (square !== drag.from || this.hands.input === 'drag') this.early = null;
      return this.mark();
    }
    const step = square === null || square === this.choice.here ? null : this.choice.go(square);
    if (step?.did === 'made') return this.make(step, drag.element);
    this.flight.set(drag.element, this.choice.here ?? drag.from, this.view!.bottom);
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
      this.early = null;
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

/** The place nearest to parts of the board's sides from the upper left, if it is on one. */
function nearest(ground: Ground, x: number, y: number, bottom: Color): Square | null {
  const half = ground.unit / 2;
  let found: Square | null = null;
  let least = Infinity;
  for (const [square, place] of ground.places) {
    const seen = seenFrom(place, bottom);
    const [across, down] = [Math.abs(seen.x - x), Math.abs(seen.y - y)];
    const away = Math.hypot(across, down);
    if (across > half || down > half || away >= least) continue;
    found = square;
    least = away;
  }
  return found;
}

/** Ahead of its turn a king goes anywhere: to mark all that would say nothing. */
const MANY = 20;

/** All ways of the legal moves; what is no capture goes straight to its end. */
function waysOf({ destinations, leaps }: BoardView): Way[] {
  return [...(destinations ?? [])].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, moves]) =>
      moves.flatMap((move): Way[] => {
        const ways = (leaps?.[move] ?? []).filter(({ taken }) => taken.length > 0);
        return ways.length === 0 ? [{ move, from, path: [to], taken: [] }] : ways.map(({ path, taken }) => ({ move, from, path, taken }));
      }),
    ),
  );
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
