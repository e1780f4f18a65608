/**
 * The board as a grid of squares: arrow keys walk on it, every square says what stands there, Enter moves. It lies
 * unseen over the board of pieces, which mouse and finger use, and stands by itself in text mode.
 */

import { Replay } from '../game/replay';
import { destinations, squares, type Destinations, type Square } from '../moves';
import { pieceName, placement, roleName, ROLES, type Placement } from '../notation';
import type { Color } from '../protocol';
import { say } from '../words';
import { isToMove, type Hands, type Table } from './table';
import { tellClocks, tellLast } from './tell';

const SIDE = 8;
const ARROWS: Record<string, readonly [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class BoardGrid {
  readonly element = document.createElement('div');
  private readonly cells: HTMLElement[] = [];
  private table: Table | null = null;
  private shown = '';
  private isLive = true;
  private covered: HTMLElement | null = null;
  private board: Placement = new Map();
  private ways: Destinations | null = null;
  private selected: Square | null = null;
  /** Where one stands, counted from the upper left of the screen. */
  private at = SIDE * (SIDE - 1);

  /** `leave` goes to the input; `tell` speaks. */
  constructor(
    private readonly hands: Pick<Hands, 'drop'>,
    private readonly tell: (text: string) => void,
    private readonly leave: () => void,
  ) {
    this.element.className = 'squares';
    this.element.dataset.testid = 'grid';
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', say('grid.name'));
    this.element.setAttribute('aria-description', say('grid.keys'));
    for (let row = 0; row < SIDE; row += 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let column = 0; column < SIDE; column += 1) line.append(this.cell(row * SIDE + column));
      this.element.append(line);
    }
    this.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  /** Draw `table`, or the position before, to which the person has gone back. */
  show(table: Table, earlier: string | null = null): void {
    this.cover();
    const before = this.table;
    const position = earlier ?? table.game.position;
    this.table = table;
    if (this.shown !== position) {
      this.shown = position;
      this.board = placement(position);
      this.selected = null;
    } else if (before?.bottom === table.bottom && before.legal === table.legal && this.isLive === (earlier === null)) {
      return;
    }
    this.isLive = earlier === null;
    this.ways = this.isLive && table.legal !== null ? destinations(table.legal, table.game) : null;
    this.draw();
  }

  /** Keep over the board of pieces beside it, whose squares are whole pixels and leave a rim, and speak in its place. */
  private cover(): void {
    const board = this.element.parentElement?.querySelector<HTMLElement>(':scope > .board');
    if (!board || board === this.covered) return;
    this.covered = board;
    board.setAttribute('aria-hidden', 'true');
    new ResizeObserver(() => requestAnimationFrame(() => this.fit(board))).observe(board);
  }

  private fit(board: HTMLElement): void {
    const size = board.querySelector('cg-container')?.getBoundingClientRect().width;
    this.element.style.width = this.element.style.height = size ? `${size}px` : '';
  }

  focus(): void {
    this.cells[this.at]?.focus();
  }

  private cell(index: number): HTMLElement {
    const cell = document.createElement('div');
    cell.setAttribute('role', 'gridcell');
    cell.tabIndex = index === this.at ? 0 : -1;
    // A screen reader presses without a key: its click is Enter's.
    cell.addEventListener('click', () => {
      this.go(index);
      this.use();
    });
    cell.addEventListener('focus', () => this.go(index));
    this.cells.push(cell);
    return cell;
  }

  private draw(): void {
    const last = this.isLive ? this.table?.game.moves.at(-1) : undefined;
    const lately: readonly Square[] = last === undefined ? [] : squares(last);
    const targets = this.selected === null ? undefined : this.ways?.get(this.selected);
    this.cells.forEach((cell, index) => {
      const square = this.squareAt(index);
      const piece = this.board.get(square);
      const words = [say('grid.square', { square, piece: piece ? pieceName(piece) : say('grid.empty') })];
      if (targets?.has(square)) words.push(say('grid.can'));
      if (lately.includes(square)) words.push(say('grid.last'));
      cell.setAttribute('aria-label', words.join(', '));
      cell.setAttribute('aria-selected', String(square === this.selected));
      cell.dataset.square = square;
      cell.dataset.can = String(targets?.has(square) ?? false);
      cell.dataset.dark = String(isDark(square));
      const letter = piece ? (piece.color === 'w' ? piece.role.toUpperCase() : piece.role) : '·';
      if (cell.textContent !== letter) cell.textContent = letter;
    });
  }

  private squareAt(index: number): Square {
    const column = index % SIDE;
    const row = Math.floor(index / SIDE);
    const turned = this.table?.bottom === 'b';
    return 'abcdefgh'.charAt(turned ? SIDE - 1 - column : column) + String(turned ? row + 1 : SIDE - row);
  }

  private indexOf(square: Square): number {
    const column = square.charCodeAt(0) - 97;
    const row = SIDE - Number(square[1]);
    return this.table?.bottom === 'b' ? SIDE * SIDE - 1 - (row * SIDE + column) : row * SIDE + column;
  }

  private go(index: number): void {
    this.cells[this.at]?.setAttribute('tabindex', '-1');
    this.at = index;
    this.cells[index]?.setAttribute('tabindex', '0');
    if (document.activeElement !== this.cells[index]) this.cells[index]?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.act(event)) return;
    // The page's own keys (through the moves, flip) are not meant.
    event.preventDefault();
    event.stopPropagation();
  }

  private act({ key, code, shiftKey }: KeyboardEvent): boolean {
    const { table } = this;
    if (table === null) return false;
    const here = this.squareAt(this.at);
    const arrow = ARROWS[key];
    if (arrow) return this.walk(...arrow);
    const digit = /^Digit([1-8])$/.exec(code)?.[1];
    if (digit !== undefined) {
      const square = shiftKey ? 'abcdefgh'.charAt(Number(digit) - 1) + here[1] : here[0] + digit;
      return this.did(() => this.go(this.indexOf(square)));
    }
    const letter = key.toLowerCase();
    if (ROLES.some((role) => role === letter)) return this.did(() => this.seek(letter, shiftKey ? -1 : 1));
    switch (key) {
      case 'Home':
        return this.did(() => this.go(this.at - (this.at % SIDE)));
      case 'End':
        return this.did(() => this.go(this.at - (this.at % SIDE) + SIDE - 1));
      case 'Enter':
      case ' ':
        return this.did(() => this.use());
      case 'Escape':
        return this.did(() => this.release());
      case 'o':
        return this.did(() => this.tell(this.describe(here)));
      case 'l':
        return this.did(() => this.tell(tellLast(table.game)));
      case 'c':
        return this.did(() => this.tell(this.captured(table)));
      case 't':
        return this.did(() => this.tell(tellClocks(table)));
      case 'm':
      case 'M':
        return this.did(() => this.tell(this.movesFrom(here, key === 'M')));
      case 'i':
        return this.did(() => this.leave());
      default:
        return false;
    }
  }

  private did(what: () => void): true {
    what();
    return true;
  }

  private walk(columns: number, rows: number): true {
    const column = (this.at % SIDE) + columns;
    const row = Math.floor(this.at / SIDE) + rows;
    if (column >= 0 && column < SIDE && row >= 0 && row < SIDE) this.go(row * SIDE + column);
    return true;
  }

  /** To the next piece of that kind, of either side, round the board. */
  private seek(role: string, step: 1 | -1): void {
    const all = this.cells.length;
    for (let away = 1; away < all; away += 1) {
      const index = (this.at + step * away + all) % all;
      if (this.board.get(this.squareAt(index))?.role === role) return this.go(index);
    }
    this.tell(say('told.no-pieces', { piece: roleName(role) }));
  }

  private use(): void {
    const { table } = this;
    if (table === null) return;
    const square = this.squareAt(this.at);
    if (!isToMove(table) || this.ways === null) return this.tell(say('grid.not-yours'));
    if (this.selected === null || this.ways.has(square)) {
      const moves = this.selected !== null && this.ways.get(this.selected)?.get(square);
      if (moves) return this.put(moves);
      return square === this.selected ? this.release() : this.take(square, table.game.turn);
    }
    const moves = this.ways.get(this.selected)?.get(square);
    if (moves) return this.put(moves);
    const piece = roleName(this.board.get(this.selected)?.role ?? 'p');
    this.tell(say('grid.no-way', { piece, square }));
  }

  private take(square: Square, turn: Color): void {
    const piece = this.board.get(square);
    if (piece?.color !== turn || !this.ways?.has(square)) return this.tell(say('grid.no-piece'));
    this.selected = square;
    this.draw();
    this.tell(say('grid.selected', { piece: roleName(piece.role), square }));
  }

  private put(moves: string[]): void {
    this.selected = null;
    this.draw();
    this.hands.drop(moves);
  }

  private release(): void {
    if (this.selected === null) return this.leave();
    this.selected = null;
    this.draw();
    this.tell(say('grid.released'));
  }

  private describe(square: Square): string {
    const piece = this.board.get(square);
    const what = piece ? pieceName(piece) : say('grid.empty');
    return `${say('grid.square', { square, piece: what })}, ${say(isDark(square) ? 'grid.dark' : 'grid.light')}`;
  }

  private movesFrom(square: Square, captures: boolean): string {
    const piece = this.board.get(square);
    const all = [...(this.ways?.get(square)?.keys() ?? [])].sort();
    const found = captures ? all.filter((to) => this.board.has(to) && this.board.get(to)?.color !== piece?.color) : all;
    if (piece === undefined || found.length === 0) {
      return say(captures ? 'grid.no-captures' : 'grid.no-moves', { square });
    }
    const named = found.map((to) => {
      const other = this.board.get(to);
      return other && other.color !== piece.color ? say('grid.takes', { square: to, piece: roleName(other.role) }) : to;
    });
    return say('grid.moves', { piece: roleName(piece.role), square, squares: named.join(', ') });
  }

  /** What the last move took. */
  private captured({ game }: Table): string {
    const move = game.moves.at(-1);
    if (move === undefined || !game.notation.at(-1)?.includes('x')) return say('told.nothing-captured');
    const before = new Replay(game.fen).at(game.moves.length - 1, game.moves);
    // In passing, the square itself was empty.
    const taken = before.get(squares(move)[1]) ?? { role: 'p', color: game.turn };
    return say('told.captured', { piece: pieceName(taken) });
  }
}

const isDark = (square: Square): boolean => (square.charCodeAt(0) + Number(square[1])) % 2 === 0;
