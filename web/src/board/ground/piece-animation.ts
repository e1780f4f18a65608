/** Pieces on their way: leap by leap, with those they take leaving at the moment that the game has it. */

import type { Color } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { Ground } from './ground';
import { at } from './pieces';

/** However long a capture is, it is over after so many ms at the usual pace of 150 ms a leap. */
const LONGEST_LEAPS = 8;
const FADE_MS = 120;

export interface PieceAnimation {
  mover: HTMLElement;
  from: Square;
  /** What is left of the way; none where a hand has put the piece down. */
  path: readonly Square[];
  /** Its look when it has arrived. */
  became: string;
  /** Leaves with that leap, the first being 0, or after the whole move. */
  taken: readonly { element: HTMLElement | null; leap: number }[];
  bottom: Color;
  /** How long one leap takes; 0 for no time at all. */
  ms: number;
}

export class PieceAnimations {
  /** What is still to be done for those on their way. */
  private readonly open = new Map<HTMLElement, () => void>();

  constructor(
    private readonly ground: Ground,
    private readonly field: HTMLElement,
  ) {}

  has(element: HTMLElement): boolean {
    return this.open.has(element);
  }

  /** Put `element` there, at once. */
  set(element: HTMLElement, square: Square, bottom: Color): void {
    this.drop(element);
    element.style.transform = at(this.ground, square, bottom);
  }

  /** It is not on its way any more: something else has got hold of it. */
  drop(element: HTMLElement): void {
    this.open.get(element)?.();
  }

  /** Everybody is where he is going to. */
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

  /** After `delay` ms; until then it stands there. */
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
