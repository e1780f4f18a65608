/**
 * The squares of any board as an ARIA grid with one tab stop, which the arrow keys, Home and End move. What a square
 * says and does is the owner's.
 */

import type { GameKind } from '../board/core/game-kind';
import type { Color } from '../net/protocol';
import type { Piece, Square } from '../notation/pieces';
import { endOfRow, gridStep } from './grid-steps';

const ARROWS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ENDS: Readonly<Record<string, 1 | -1>> = { Home: -1, End: 1 };

export class LatticeGrid {
  readonly element = document.createElement('div');
  cells: HTMLElement[] = [];
  kind: GameKind | null = null;
  bottom: Color = 'w';
  /** Index of the current square, from the upper left of the screen. */
  at = 0;

  /** `clicked`: screen readers click without a key, which means the same as Enter. */
  constructor(private readonly clicked: (event: MouseEvent) => void) {
    this.element.className = 'squares';
    this.element.dataset.testid = 'grid';
    this.element.setAttribute('role', 'grid');
  }

  get here(): Square {
    return this.squareAt(this.at);
  }

  /** Row by row; the current square is White's lower left. */
  build(kind: GameKind, name: string): void {
    this.kind = kind;
    const { squares, placeOf, box } = kind.lattice;
    this.element.setAttribute('aria-label', name);
    this.cells = [];
    const lines = new Map<number, HTMLElement>();
    for (const [index, square] of squares.entries()) {
      const { row } = placeOf(square)!;
      let line = lines.get(row);
      if (line === undefined) {
        line = document.createElement('div');
        line.setAttribute('role', 'row');
        lines.set(row, line);
      }
      const cell = this.cell(index);
      const place = box(square);
      if (place) lay(cell, place);
      line.append(cell);
    }
    this.element.dataset.laid = String(box(squares[0]!) !== null);
    this.element.replaceChildren(...lines.values());
    this.at = squares.findIndex((square) => placeOf(square)!.row === placeOf(squares.at(-1)!)!.row);
    this.cells[this.at]?.setAttribute('tabindex', '0');
  }

  /** Flip the board; the focus stays on its square. */
  turn(bottom: Color): void {
    if (bottom === this.bottom) return;
    this.bottom = bottom;
    const inside = this.element.contains(document.activeElement);
    this.at = this.stand(this.cells.length - 1 - this.at);
    if (inside) this.cells[this.at]?.focus();
  }

  squareAt(index: number): Square {
    const squares = this.kind?.lattice.squares ?? [];
    return squares[this.bottom === 'b' ? squares.length - 1 - index : index] ?? '';
  }

  indexOf(square: Square): number {
    const squares = this.kind?.lattice.squares ?? [];
    const index = squares.indexOf(square);
    return this.bottom === 'b' ? squares.length - 1 - index : index;
  }

  /** Focus `square`, or the current one. */
  focus(square?: Square): void {
    if (square !== undefined) this.at = this.stand(this.indexOf(square));
    this.cells[this.at]?.focus();
  }

  go(index: number): void {
    this.at = this.stand(index);
    if (document.activeElement !== this.cells[index]) this.cells[index]?.focus();
  }

  /** Follow an arrow key, Home or End; false for any other key. */
  walk(key: string): boolean {
    const { kind } = this;
    const [arrow, end] = [ARROWS[key], ENDS[key]];
    if (kind === null || (arrow === undefined && end === undefined)) return false;
    const to = arrow === undefined ? endOfRow(kind, this.at, end!) : gridStep(kind, this.at, ...arrow);
    if (to !== null) this.go(to);
    return true;
  }

  /** Make it the tab stop. */
  private stand(index: number): number {
    this.cells[this.at]?.setAttribute('tabindex', '-1');
    this.cells[index]?.setAttribute('tabindex', '0');
    return index;
  }

  private cell(index: number): HTMLElement {
    const cell = document.createElement('div');
    cell.setAttribute('role', 'gridcell');
    cell.tabIndex = -1;
    cell.addEventListener('click', (event) => {
      this.go(index);
      this.clicked(event);
    });
    cell.addEventListener('focus', () => this.go(index));
    this.cells.push(cell);
    return cell;
  }
}

/** Place it over its square. */
function lay(cell: HTMLElement, { x, y, unit }: { x: number; y: number; unit: number }): void {
  const { style } = cell;
  style.left = `${100 * (x - unit / 2)}%`;
  style.top = `${100 * (y - unit / 2)}%`;
  style.width = style.height = `${100 * unit}%`;
}

/** The letter of a piece: upper case for White. */
export function letterOf({ keys }: GameKind, { role, color }: Piece): string {
  const letter = Object.keys(keys).find((key) => keys[key] === role) ?? role;
  return color === 'w' ? letter.toUpperCase() : letter;
}
