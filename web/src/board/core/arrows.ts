/**
 * Arrows and circles drawn with the right mouse button, on a layer over the board.
 *
 * Drawing the same one again removes it; a left click removes all. Shift or Ctrl, Alt, and both choose other colours. A
 * suggested move has arrows too, which stay until there is another or none.
 */

import type { Color } from '../../net/protocol';
import type { Square } from '../../notation/pieces';

export interface Shape {
  from: Square;
  to: Square;
  brush: Brush;
}

/** Geometry of the board's squares. */
export interface Squares {
  /** Squares along a side. */
  readonly side: number;
  /** At fractions of the board's size from the upper left; null outside. */
  squareAt(x: number, y: number, bottom: Color): Square | null;
  /** In squares, from the upper left. */
  middle(square: Square, bottom: Color): [number, number];
}

const CHESS: Squares = {
  side: 8,
  squareAt(x, y, bottom) {
    let [column, row] = [Math.floor(x * 8), Math.floor(y * 8)];
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    if (bottom === 'b') [column, row] = [7 - column, 7 - row];
    return 'abcdefgh'.charAt(column) + String(8 - row);
  },
  middle(square, bottom) {
    const x = square.charCodeAt(0) - 97 + 0.5;
    const y = 8 - Number(square[1]) + 0.5;
    return bottom === 'w' ? [x, y] : [8 - x, 8 - y];
  },
};

const BRUSHES = ['green', 'red', 'blue', 'yellow'] as const;
type Brush = (typeof BRUSHES)[number];

const SVG = 'http://www.w3.org/2000/svg';
const RIGHT = 2;
/** Distance of an arrow's head from the centre of its square, in squares. */
const HEAD = 0.42;

export class Arrows {
  readonly element = document.createElementNS(SVG, 'svg');
  private shapes: Shape[] = [];
  private suggested: Shape[] = [];
  private drawing: Shape | null = null;
  private bottom: Color = 'w';

  constructor(
    private readonly board: HTMLElement,
    private readonly squares: Squares = CHESS,
  ) {
    this.element.setAttribute('class', 'arrows');
    this.element.setAttribute('viewBox', `0 0 ${squares.side} ${squares.side}`);
    this.element.setAttribute('aria-hidden', 'true');
    board.addEventListener('contextmenu', (event) => event.preventDefault());
    board.addEventListener('mousedown', (event) => this.down(event));
    addEventListener('mousemove', this.move);
    addEventListener('mouseup', this.up);
  }

  close(): void {
    removeEventListener('mousemove', this.move);
    removeEventListener('mouseup', this.up);
  }

  turn(bottom: Color): void {
    if (bottom === this.bottom) return;
    this.bottom = bottom;
    this.draw();
  }

  /** Show the path of a suggested move; empty for none. */
  suggest(path: readonly Square[] = []): void {
    const text = path.join('-');
    if ((this.element.dataset.hint ?? '') === text) return;
    this.element.dataset.hint = text;
    this.suggested = path.slice(1).map((to, index) => ({ from: path[index]!, to, brush: 'blue' }));
    this.draw();
  }

  clear(): void {
    if (this.shapes.length === 0) return;
    this.shapes = [];
    this.draw();
  }

  private down(event: MouseEvent): void {
    if (event.button !== RIGHT) {
      if (event.button === 0) this.clear();
      return;
    }
    event.preventDefault();
    const from = this.squareAt(event);
    if (from === null) return;
    const brush = BRUSHES[(event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey || event.metaKey ? 2 : 0)]!;
    this.drawing = { from, to: from, brush };
    this.draw();
  }

  private readonly move = (event: MouseEvent): void => {
    if (this.drawing === null) return;
    const to = this.squareAt(event) ?? this.drawing.from;
    if (to === this.drawing.to) return;
    this.drawing = { ...this.drawing, to };
    this.draw();
  };

  private readonly up = (): void => {
    const made = this.drawing;
    if (made === null) return;
    this.drawing = null;
    const same = this.shapes.find(({ from, to }) => from === made.from && to === made.to);
    this.shapes = this.shapes.filter((shape) => shape !== same);
    if (same?.brush !== made.brush) this.shapes.push(made);
    this.draw();
  };

  private squareAt(event: MouseEvent): Square | null {
    const box = this.board.getBoundingClientRect();
    return this.squares.squareAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, this.bottom);
  }

  private draw(): void {
    const all = [...this.suggested, ...this.shapes, ...(this.drawing === null ? [] : [this.drawing])];
    this.element.replaceChildren(...all.flatMap((shape) => this.picture(shape)));
    this.element.dataset.shapes = String(this.shapes.length);
  }

  private picture({ from, to, brush }: Shape): SVGElement[] {
    const [x, y] = this.squares.middle(from, this.bottom);
    if (from === to) return [make('circle', { class: brush, cx: x, cy: y, r: 0.46 })];
    const [toX, toY] = this.squares.middle(to, this.bottom);
    const length = Math.hypot(toX - x, toY - y);
    const [unitX, unitY] = [(toX - x) / length, (toY - y) / length];
    const [neckX, neckY] = [toX - unitX * HEAD, toY - unitY * HEAD];
    const wing = (side: number) => `${neckX - side * unitY * 0.24},${neckY + side * unitX * 0.24}`;
    return [
      make('line', { class: brush, x1: x, y1: y, x2: neckX, y2: neckY }),
      make('polygon', { class: brush, points: `${wing(1)} ${toX - unitX * 0.05},${toY - unitY * 0.05} ${wing(-1)}` }),
    ];
  }
}

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
