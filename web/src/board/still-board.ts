/** A view-only board of any game that follows it. */

import type { Color } from '../net/protocol';
import { ChessStill } from './chess/still';
import { groundOf, type VariantRef } from './grounds';

/** A view-only board of one kind. */
interface Still {
  readonly element: HTMLElement;
  show(fen: string, last: string | null, bottom?: Color): void;
}

type Shown = Parameters<Still['show']>;

export class StillBoard {
  /** Wraps the actual board, which changes with the game. */
  readonly element = document.createElement('span');
  private of: VariantRef | null = null;
  private still: Still | null = null;
  private shown: Shown = ['', null];

  constructor() {
    this.element.className = 'still-place';
  }

  /** `last` is a wire move whose squares are marked. */
  show(of: VariantRef, ...shown: Shown): void {
    this.shown = shown;
    if (of.game !== this.of?.game || of.variant !== this.of.variant) this.begin(of);
    this.still?.show(...shown);
  }

  private begin(of: VariantRef): void {
    this.of = of;
    this.still = null;
    const ground = groundOf(of);
    if (ground === null) return this.put(new ChessStill());
    this.element.replaceChildren();
    void Promise.all([ground, import('./ground/still')]).then(
      ([known, { GroundStill }]) => {
        if (this.of !== of) return;
        this.put(new GroundStill(known));
        this.still!.show(...this.shown);
      },
      // Without a connection the place stays empty until the next game.
      () => undefined,
    );
  }

  private put(still: Still): void {
    this.still = still;
    this.element.replaceChildren(still.element);
  }
}
