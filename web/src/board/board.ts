/** The board of a page. The kind of game creates the actual board. */

import type { BoardFactory, BoardOptions, BoardView, OnMove, PlayBoard, PremoveOptions } from './core/play-board';

/** Empty until `begin` is called. */
export class Board implements PlayBoard {
  readonly element = document.createElement('div');
  private inner: PlayBoard | null = null;
  private makes: BoardFactory | null = null;

  constructor(private readonly onmove: OnMove) {
    this.element.className = 'board';
    this.element.dataset.testid = 'board';
  }

  /** Use the board of the game that is played. */
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
