/** Tiles of watched games. They draw themselves once per frame at most, without the page. */

import { html, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { StillBoard } from '../board/still-board';
import type { Color } from '../net/protocol';
import type { ServerTime } from '../net/server-time';
import type { Mini } from './mini';
import { tile, type TileView } from './tile';

export interface TilesView {
  /** In display order. */
  games: readonly string[];
  /** What surrounds a tile, or replaces one that is not there yet. */
  frame(g: string, index: number, inside: TemplateResult | null): TemplateResult;
  bottom?(g: string): Color;
  /** The simul whose boards the tile stands for. */
  simul?(g: string): TileView['simul'];
}

export interface Source {
  get(g: string): Mini | null;
}

export class Tiles {
  readonly element = document.createElement('ul');
  private readonly boards = new Map<string, StillBoard>();
  private view: TilesView = { games: [], frame: () => html`` };
  private frame: number | null = null;
  private readonly ticker: ReturnType<typeof setInterval>;

  /** `tenths`: low clocks show tenths and are drawn as often. */
  constructor(
    private readonly source: Source,
    private readonly time: ServerTime,
    private readonly tenths: boolean,
  ) {
    this.element.className = 'tiles';
    this.element.dataset.testid = 'tiles';
    this.ticker = setInterval(() => document.hidden || this.changed(), tenths ? 100 : 500);
  }

  show(view: TilesView): void {
    this.view = view;
    for (const g of [...this.boards.keys()]) if (!view.games.includes(g)) this.boards.delete(g);
    this.changed();
  }

  /** Draw with the next frame; many calls draw once. */
  changed(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  close(): void {
    clearInterval(this.ticker);
    if (this.frame !== null) cancelAnimationFrame(this.frame);
  }

  /** The tile of `g`, if it is in the document. */
  tileOf(g: string): HTMLElement | null {
    return this.element.querySelector(`[data-tile="${CSS.escape(g)}"]`);
  }

  private paint(): void {
    const { games, frame, bottom, simul } = this.view;
    const now = this.time.now();
    this.element.dataset.count = String(games.length);
    render(
      repeat(
        games,
        (g) => g,
        (g, index) => html`<li data-tile=${g}>${frame(g, index, this.inside(g, now, bottom?.(g), simul?.(g)))}</li>`,
      ),
      this.element,
    );
  }

  private inside(g: string, now: number, bottom: Color | undefined, simul: TileView['simul']): TemplateResult | null {
    const mini = this.source.get(g);
    if (mini === null) return null;
    let board = this.boards.get(g);
    if (board === undefined) this.boards.set(g, (board = new StillBoard()));
    return tile({ mini, board, now, tenths: this.tenths, ...(bottom ? { bottom } : {}), ...(simul ? { simul } : {}) });
  }
}
