/** The board as the pages see it, of whatever game: what stands behind it comes with the game. */

import type { Ahead, BoardHands, BoardView, MakesBoard, OnMove, PlayBoard } from './core/play-board';

/** Nothing is on it until it is told what is played. */
export class Board implements PlayBoard {
  readonly element = document.createElement('div');
  private inner: PlayBoard | null = null;
  private makes: MakesBoard | null = null;

  constructor(private readonly onmove: OnMove) {
    this.element.className = 'board';
    this.element.dataset.testid = 'board';
  }

  /** What is played from here on. */
  begin(makes: MakesBoard): void {
    if (makes === this.makes) return;
    this.inner?.close();
    this.element.replaceChildren();
    this.makes = makes;
    this.inner = makes(this.element, this.onmove);
  }

  get premove(): string | null {
    return this.inner?.premove ?? null;
  }

  show(view: BoardView): void {
    this.inner?.show(view);
  }

  handle(hands: BoardHands): void {
    this.inner?.handle(hands);
  }

  restore(): void {
    this.inner?.restore();
  }

  forget(): void {
    this.inner?.forget();
  }

  ahead(): Ahead | null {
    return this.inner?.ahead() ?? null;
  }

  moveAhead(move: string): boolean {
    return this.inner?.moveAhead(move) ?? false;
  }

  close(): void {
    this.inner?.close();
  }
}
