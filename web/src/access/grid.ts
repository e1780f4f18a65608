/**
 * The board as a grid of squares: arrow keys walk on it, every square says what stands there, Enter moves. It lies
 * unseen over the board of pieces, which mouse and finger use, and stands by itself in text mode.
 */

import { Replay } from '../game/replay';
import { destinations, squares, type Destinations, type Square } from '../moves';
import { pieceName, placement, roleName, ROLES, type Placement } from '../notation';
import { opposite } from '../store';
import type { Told } from '../tell-move';
import { say, SIDES, type Key } from '../words';
import { attackers, DIRECTIONS, ray } from './scan';
import { isLive, isToMove, seat, type Hands, type Table } from './table';
import { tellClocks, tellLast, tellShown, tellUci } from './tell';

const SIDE = 8;
/** The key that looks along a line, whatever is written on it. */
const LOOK_CODE = 'KeyX';
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
  private covered: HTMLElement | null = null;
  private board: Placement = new Map();
  /** Where pieces may go: now, or ahead of the turn. */
  private ways: Destinations | null = null;
  private isAhead = false;
  private selected: Square | null = null;
  /** Where one stands, counted from the upper left of the screen. */
  private at = SIDE * (SIDE - 1);
  /** The line that was looked along last, from where. */
  private looked: { from: Square; direction: number } | null = null;

  /** `leave` goes to the input; `tell` speaks. */
  constructor(
    private readonly hands: Pick<Hands, 'drop' | 'ahead' | 'flip' | 'look'>,
    private readonly tell: (text: string, lang?: Told['lang']) => void,
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

  /** Draw the board that is looked at. */
  show(table: Table): void {
    this.cover();
    const before = this.table;
    this.table = table;
    if (before && before.bottom !== table.bottom) this.turn();
    if (this.shown !== table.position) {
      this.shown = table.position;
      this.board = placement(table.position);
      this.selected = null;
    } else if (before && sameWays(before, table)) {
      return;
    }
    this.ways = this.waysOf(table);
    if (this.selected !== null && !this.ways?.has(this.selected)) this.selected = null;
    this.draw();
  }

  private waysOf(table: Table): Destinations | null {
    this.isAhead = false;
    if (!isLive(table)) return null;
    if (isToMove(table)) return table.legal && destinations(table.legal, table.game);
    const ahead = table.underway === null ? table.ahead() : null;
    this.isAhead = ahead !== null;
    return ahead && destinations(ahead.moves, { variant: table.game.variant, position: ahead.position });
  }

  /** Seen from the other side; who stands on a square stays on it. */
  private turn(): void {
    const inside = this.element.contains(document.activeElement);
    this.cells[this.at]?.setAttribute('tabindex', '-1');
    this.at = SIDE * SIDE - 1 - this.at;
    this.cells[this.at]?.setAttribute('tabindex', '0');
    if (inside) this.cells[this.at]?.focus();
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

  /** Go there: to `square`, or to where one was. */
  focus(square?: Square): void {
    if (square !== undefined) this.at = this.stand(this.indexOf(square));
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
    const last = this.table?.game.moves[this.table.shown - 1];
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

  /** Tab comes back to this square. */
  private stand(index: number): number {
    this.cells[this.at]?.setAttribute('tabindex', '-1');
    this.cells[index]?.setAttribute('tabindex', '0');
    return index;
  }

  private go(index: number): void {
    this.at = this.stand(index);
    if (document.activeElement !== this.cells[index]) this.cells[index]?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || (event.altKey && event.code !== LOOK_CODE)) return;
    if (!this.act(event)) return;
    // The page's own keys (through the moves, flip) are not meant.
    event.preventDefault();
    event.stopPropagation();
  }

  private act({ key, code, shiftKey, altKey }: KeyboardEvent): boolean {
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
    // With Alt some keyboards write another sign.
    const letter = altKey ? 'x' : key.toLowerCase();
    if (ROLES.some((role) => role === letter)) return this.did(() => this.seek(letter, shiftKey ? -1 : 1));
    switch (letter) {
      case 'home':
        return this.did(() => this.go(this.at - (this.at % SIDE)));
      case 'end':
        return this.did(() => this.go(this.at - (this.at % SIDE) + SIDE - 1));
      case 'enter':
      case ' ':
        return this.did(() => this.use());
      case 'escape':
        return this.did(() => this.release());
      case 'o':
        return this.did(() => this.tell(this.describe(here)));
      case 'l':
        return this.did(() => this.tellLast(table));
      case 'c':
        return this.did(() => this.tell(this.captured(table)));
      case 't':
        return this.did(() => this.tell(tellClocks(table)));
      case 'm':
        return this.did(() => this.tell(this.movesFrom(here, shiftKey)));
      case 'x':
        return this.did(() => this.tell(this.along(here, altKey, shiftKey)));
      case 'a':
        return this.did(() => (shiftKey ? this.step(table, -1) : this.tell(this.attacked(here))));
      case 'd':
        return shiftKey && this.did(() => this.step(table, 1));
      case 'f':
        return this.did(() => {
          this.hands.flip();
          this.tell(say('grid.turned', { side: SIDES[opposite(table.bottom)] }));
        });
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
    const { table, ways, selected } = this;
    if (table === null) return;
    const square = this.squareAt(this.at);
    if (ways === null) return this.tell(say(isLive(table) ? 'grid.not-yours' : 'grid.back'));
    const moves = selected === null ? undefined : ways.get(selected)?.get(square);
    if (moves) this.put(moves);
    else if (selected !== null && square === selected) this.release();
    else if (selected === null || this.board.get(square)?.color === this.board.get(selected)?.color) this.take(square, table);
    else this.tell(say('grid.no-way', { piece: roleName(this.board.get(selected)?.role ?? 'p'), square }));
  }

  private take(square: Square, table: Table): void {
    const piece = this.board.get(square);
    const mine = this.isAhead ? seat(table) : table.game.turn;
    if (piece?.color !== mine || !this.ways?.has(square)) return this.tell(say('grid.no-piece'));
    this.selected = square;
    this.draw();
    this.tell(say(this.isAhead ? 'grid.selected-ahead' : 'grid.selected', { piece: roleName(piece.role), square }));
  }

  private put(moves: string[]): void {
    const [move = ''] = moves;
    const { isAhead } = this;
    this.selected = null;
    this.draw();
    if (!isAhead) return this.hands.drop(moves);
    // What a pawn becomes is asked when it gets there.
    const ahead = move.slice(0, 4);
    const telling = this.table!.telling;
    this.tell(this.hands.ahead(ahead) ? say('ahead.set', { move: tellUci(ahead, this.shown, telling) }) : say('grid.not-yours'));
  }

  /** Escape goes one step back: the piece in the hand, the move ahead, the board. */
  private release(): void {
    if (this.selected !== null) {
      this.selected = null;
      this.draw();
      this.tell(say('grid.released'));
    } else if (this.table?.premove) {
      this.hands.ahead(null);
      this.tell(say('ahead.off-again'));
    } else this.leave();
  }

  private tellLast({ game, telling }: Table): void {
    const { text, lang } = tellLast(game, telling);
    this.tell(text, lang);
  }

  /** Through the moves of the game. */
  private step({ game, shown, telling }: Table, by: 1 | -1): void {
    const ply = Math.max(0, Math.min(shown + by, game.moves.length));
    this.hands.look(ply);
    this.tell(tellShown(game, ply, telling));
  }

  /** What stands on the next line from here, nearest first: on slanting lines, or on ranks and files. */
  private along(from: Square, straight: boolean, back: boolean): string {
    const first = straight ? 0 : 1;
    const same = this.looked?.from === from && this.looked.direction % 2 === first;
    let direction = same ? this.looked!.direction : back ? first + 2 : first - 2;
    let line: Square[] = [];
    for (let tries = 0; tries < DIRECTIONS / 2 && line.length === 0; tries += 1) {
      direction = (direction + (back ? -2 : 2) + DIRECTIONS) % DIRECTIONS;
      line = ray(from, this.onScreen(direction));
    }
    this.looked = { from, direction };
    const pieces = line.flatMap((square) => {
      const piece = this.board.get(square);
      return piece ? `${square} ${pieceName(piece)}` : [];
    });
    const way = say(`way.${direction}` as Key & `way.${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`);
    return say('grid.along', { square: from, way, pieces: pieces.join(', ') || say('grid.nothing') });
  }

  private onScreen(direction: number): number {
    return this.table?.bottom === 'b' ? (direction + DIRECTIONS / 2) % DIRECTIONS : direction;
  }

  private attacked(square: Square): string {
    const from = attackers(this.board, square).map((at) => `${pieceName(this.board.get(at)!)} ${at}`);
    return say(from.length > 0 ? 'grid.attacked' : 'grid.unattacked', { square, pieces: from.join(', ') });
  }

  private describe(square: Square): string {
    const piece = this.board.get(square);
    const what = piece ? pieceName(piece) : say('grid.empty');
    return `${say('grid.square', { square, piece: what })}, ${say(isDark(square) ? 'grid.dark' : 'grid.light')}`;
  }

  private movesFrom(square: Square, captures: boolean): string {
    const piece = this.board.get(square);
    const all = [...(this.ways?.get(square)?.keys() ?? [])].sort();
    if (this.ways === null) return say(this.table && isLive(this.table) ? 'grid.not-yours' : 'grid.back');
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

/** Whether nothing has changed but what the grid does not show. */
const sameWays = (a: Table, b: Table): boolean =>
  a.bottom === b.bottom &&
  a.legal === b.legal &&
  a.shown === b.shown &&
  a.underway === b.underway &&
  a.own.length === b.own.length &&
  a.game.status === b.game.status;
