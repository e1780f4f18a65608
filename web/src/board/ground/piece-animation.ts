/** Animations of pieces: jump by jump, with captured pieces leaving when the game's rules say so. */

import type { Color } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { Ground } from './ground';
import { at } from './pieces';

/** A long capture is animated faster, so that it takes no longer than this many jumps. */
const LONGEST_LEAPS = 8;
const FADE_MS = 120;

export interface PieceAnimation {
  mover: HTMLElement;
  from: Square;
  /** The rest of the path; empty if the piece was dropped by hand. */
  path: readonly Square[];
  /** Class name at the end. */
  became: string;
  /** Leaves with that jump, counted from 0, or after the move. */
  taken: readonly { element: HTMLElement | null; leap: number }[];
  bottom: Color;
  /** Duration of a jump; 0 for none. */
  ms: number;
}

export class PieceAnimations {
  /** What remains to be done for running animations. */
  private readonly open = new Map<HTMLElement, () => void>();

  constructor(
    private readonly ground: Ground,
    private readonly field: HTMLElement,
  ) {}

  has(element: HTMLElement): boolean {
    return this.open.has(element);
  }

  /** Put `element` on `square` at once. */
  set(element: HTMLElement, square: Square, bottom: Color): void {
    this.drop(element);
    element.style.transform = at(this.ground, square, bottom);
  }

  /** Stop animating `element`. */
  drop(element: HTMLElement): void {
    this.open.get(element)?.();
  }

  /** Finish all animations at once. */
  finishAll(): void {
    for (const done of [...this.open.values()]) done();
  }

  leap({ mover, from, path, became, taken, bottom, ms }: PieceAnimation): void {
    this.drop(mover);
    const places = [from, ...path].map((square) => at(this.ground, square, bottom));
    const pace = path.length > LONGEST_LEAPS ? (ms * LONGEST_LEAPS) / path.length : ms;
    const whole = pace * path.length;
    mover.style.transform = places.at(-1)!;
    for (const { element, leap } of taken) if (element) this.leave(element, ms === 0 ? 0 : Math.min(whole, (leap + 1) * pace));
    if (whole === 0) {
      mover.className = became;
      return;
    }
    const frames = places.map((transform) => ({ transform, easing: 'ease-in-out' }));
    this.field.append(mover);
    mover.dataset.flying = 'true';
    this.run(mover, mover.animate(frames, whole), () => {
      delete mover.dataset.flying;
      mover.className = became;
    });
  }

  /** After `delay` ms. */
  private leave(element: HTMLElement, delay: number): void {
    if (delay === 0) {
      element.remove();
      return;
    }
    const frames = [{ opacity: 1 }, { opacity: 0 }];
    this.run(element, element.animate(frames, { duration: FADE_MS, delay, fill: 'forwards' }), () => element.remove());
  }

  private run(element: HTMLElement, animation: Animation, after: () => void): void {
    const done = () => {
      if (this.open.get(element) !== done) return;
      this.open.delete(element);
      animation.onfinish = null;
      animation.cancel();
      after();
    };
    this.open.set(element, done);
    animation.onfinish = done;
  }
}
