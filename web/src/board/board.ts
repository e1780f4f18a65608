/** The board as the pages see it, of whatever game: what stands behind it comes with the game. */

import type { PremoveOptions, BoardOptions, BoardView, BoardFactory, OnMove, PlayBoard } from './core/play-board';

/** Nothing is on it until it is told what is played. */
export class Board implements PlayBoard {
  readonly element = document.createElement('div');
  private inner: PlayBoard | null = null;
  private makes: BoardFactory | null = null;

  constructor(private readonly onmove: OnMove) {
    this.element.className = 'board';
    this.element.dataset.testid = 'board';
  }

  /** What is played from here on. */
  begin(makes: BoardFactory): void {
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

  setOptions(hands: BoardOptions): void {
    this.inner?.setOptions(hands);
  }

  restore(): void {
    this.inner?.restore();
  }

  cancelPremove(): void {
    this.inner?.cancelPremove();
  }

  premoveOptions(): PremoveOptions | null {
    return this.inner?.premoveOptions() ?? null;
  }

  setPremove(move: string): boolean {
    return this.inner?.setPremove(move) ?? false;
  }

  close(): void {
    this.inner?.close();
  }
}
