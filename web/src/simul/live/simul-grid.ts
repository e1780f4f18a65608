/** The grid of all boards. Only those in view are in the document. It draws itself on scrolling, without the page. */

import { html, nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SimulBoard } from '../../net/protocol';
import { say } from '../../words/words';
import { cell, cellId, type CellView } from './cell';
import { scrolledTo, seen, stepped, type Seen } from './viewport';

/** In pixels; `below` is the height above and below a small board. */
const CELLS = { least: 110, below: 58, gap: 8, spare: 2 };

/** New small boards per frame until all in view are there; twenty at once would block the page. */
const AT_ONCE = 6;

export type GridView = Omit<CellView, 'active'> & { boards: readonly SimulBoard[] };

export class SimulGrid {
  readonly element = document.createElement('div');
  private view: GridView | null = null;
  private size = { width: 0, height: 0 };
  private active: number | null = null;
  private drawn = { from: -1, to: -1 };
  /** Most boards in the document so far; unlimited once all in view were. */
  private room = AT_ONCE;
  private growing: number | null = null;
  private readonly sized: ResizeObserver;

  /** `pick` is called with the board to show large. */
  constructor(private readonly pick: (board: number) => void) {
    const { element } = this;
    element.className = 'simul-grid';
    element.tabIndex = 0;
    element.setAttribute('role', 'listbox');
    element.setAttribute('aria-label', say('simul.grid'));
    element.dataset.testid = 'simul-grid';
    element.addEventListener('scroll', () => this.scrolled(), { passive: true });
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('click', (event) => this.clicked(event));
    this.sized = new ResizeObserver(() => this.resized());
    this.sized.observe(element);
  }

  close(): void {
    this.sized.disconnect();
    if (this.growing !== null) cancelAnimationFrame(this.growing);
  }

  show(view: GridView): void {
    const moved = view.shown !== this.view?.shown;
    this.view = view;
    if (moved && document.activeElement !== this.element) this.active = view.shown;
    this.paint();
    if (moved && view.shown !== null) this.reveal(view.shown);
  }

  /** Scroll `board` into view. */
  private reveal(board: number): void {
    const index = this.indexOf(board);
    if (index < 0 || this.size.height === 0) return;
    this.element.scrollTop = scrolledTo(index, this.seen(), this.viewport());
  }

  private paint(): void {
    const { view } = this;
    if (view === null) return;
    const { boards } = view;
    const now = this.begun(this.seen());
    this.drawn = now;
    this.element.dataset.count = String(boards.length);
    const inner = `height: ${now.total}px; --top: ${now.top}px; --columns: ${now.columns}; --cell: ${now.width}px`;
    const active = this.indexOf(this.active);
    const there = active >= now.from && active < now.to;
    if (there) this.element.setAttribute('aria-activedescendant', cellId(this.active!));
    else this.element.removeAttribute('aria-activedescendant');
    render(
      boards.length === 0
        ? html`<p class="empty" role="option" aria-selected="false">${say('simul.grid.empty')}</p>`
        : html`<div class="simul-cells" role="presentation" .style=${inner}>
            <div class="simul-window" role="presentation">
              ${repeat(
                boards.slice(now.from, now.to),
                ({ board }) => board,
                (board, index) => cell(board, { ...view, active: this.active }, now.from + index, boards.length),
              )}
            </div>
          </div>${nothing}`,
      this.element,
    );
  }

  /** As many of those in view as allowed; the rest follows in the next frames. */
  private begun(all: Seen): Seen {
    if (all.to - all.from <= this.room) {
      if (this.size.height > 0 && all.to > all.from) this.room = Infinity;
      return all;
    }
    this.growing ??= requestAnimationFrame(() => {
      this.growing = null;
      this.room += AT_ONCE;
      this.paint();
    });
    return { ...all, to: all.from + this.room };
  }

  private scrolled(): void {
    const { from, to } = this.seen();
    if (from !== this.drawn.from || to !== this.drawn.to) this.paint();
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this.element;
    const style = getComputedStyle(this.element);
    const width = clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (width === this.size.width && clientHeight === this.size.height) return;
    const first = this.size.height === 0;
    this.size = { width, height: clientHeight };
    this.paint();
    if (first && this.view?.shown) this.reveal(this.view.shown);
  }

  private key(event: KeyboardEvent): void {
    const { boards } = this.view ?? { boards: [] };
    if (event.ctrlKey || event.metaKey || event.altKey || boards.length === 0) return;
    const index = Math.max(0, this.indexOf(this.active));
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.pick(boards[index]!.board);
      return;
    }
    const to = stepped(event.key, index, boards.length, this.seen(), this.size.height);
    if (to === null) return;
    event.preventDefault();
    this.active = boards[to]!.board;
    this.element.scrollTop = scrolledTo(to, this.seen(), this.viewport());
    this.paint();
  }

  private clicked(event: MouseEvent): void {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-board]') : null;
    if (!found) return;
    this.active = Number(found.dataset.board);
    this.pick(this.active);
  }

  private indexOf(board: number | null): number {
    return board === null ? -1 : (this.view?.boards.findIndex((one) => one.board === board) ?? -1);
  }

  private viewport() {
    return { ...this.size, scrollTop: this.element.scrollTop, count: this.view?.boards.length ?? 0 };
  }

  private seen(): Seen {
    return seen(this.viewport(), CELLS);
  }
}
