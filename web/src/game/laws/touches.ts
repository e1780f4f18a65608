/** Touching pieces on the board: on selecting them, or by holding them, as the person's setting says. */

import type { Square } from '../../notation/pieces';

/** As long as it takes to tell a hold from a click. */
const HELD_MS = 450;
/** In pixels; a pointer that goes further drags. */
const STILL = 8;
const LEFT = 0;

export interface TouchSources {
  /** The square under the pointer. */
  squareAt(event: PointerEvent): Square | null;
  /** Whether selecting touches. */
  onSelect(): boolean;
  /** A piece was touched; `held`: deliberately. */
  touch(square: Square, held: boolean): void;
}

export class Touches {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private start = { x: 0, y: 0 };

  constructor(
    private readonly board: HTMLElement,
    private readonly sources: TouchSources,
  ) {
    // Before the board handles it: the piece is touched, then moved.
    board.addEventListener('pointerdown', this.down, { capture: true });
    board.addEventListener('pointermove', this.moved);
    for (const event of ['pointerup', 'pointercancel'] as const) board.addEventListener(event, this.ended);
  }

  close(): void {
    this.ended();
    this.board.removeEventListener('pointerdown', this.down, { capture: true });
    this.board.removeEventListener('pointermove', this.moved);
    for (const event of ['pointerup', 'pointercancel'] as const) this.board.removeEventListener(event, this.ended);
  }

  private readonly down = (event: PointerEvent): void => {
    this.ended();
    if (event.button !== LEFT || !event.isPrimary) return;
    const square = this.sources.squareAt(event);
    if (square === null) return;
    if (this.sources.onSelect()) return this.sources.touch(square, false);
    this.start = { x: event.clientX, y: event.clientY };
    this.timer = setTimeout(() => this.sources.touch(square, true), HELD_MS);
  };

  private readonly moved = ({ clientX, clientY }: PointerEvent): void => {
    if (Math.hypot(clientX - this.start.x, clientY - this.start.y) > STILL) this.ended();
  };

  private readonly ended = (): void => clearTimeout(this.timer);
}
