/**
 * The board as an ARIA grid: arrow keys move, every square has a label, Enter moves a piece. It lies invisibly over the
 * visual board, and stands alone in text mode.
 */

import type { GameKind } from '../board/core/game-kind';
import { opposite } from '../notation/color';
import { pieceName, roleName, type Piece, type Placement, type Square } from '../notation/pieces';
import type { Utterance } from '../notation/tell-move';
import type { Destinations } from '../notation/uci';
import { say, SIDES } from '../words/words';
import { isLive, isToMove, seat, type AccessibleGame, type GameActions } from './accessible-game';
import { endOfRow, gridStep } from './grid-steps';
import { isDark, SquareQueries } from './square-queries';
import { tellClocks, tellLast, tellShown, tellTaken, tellUci } from './tell';

/** The key that tells the next line, whatever its label. */
const LOOK_CODE = 'KeyX';
const ARROWS: Record<string, readonly [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class SquareGrid {
  readonly element = document.createElement('div');
  private cells: HTMLElement[] = [];
  private kind: GameKind | null = null;
  private table: AccessibleGame | null = null;
  private shown = '';
  private covered: HTMLElement | null = null;
  private board: Placement = new Map();
  /** Destinations of pieces, now or as premoves. */
  private destinations: Destinations | null = null;
  private isAhead = false;
  private selected: Square | null = null;
  /** Index of the current square, from the upper left of the screen. */
  private at = 0;
  private readonly queries = new SquareQueries();

  /** `leave` goes to the input; `tell` announces. */
  constructor(
    private readonly hands: Pick<GameActions, 'drop' | 'setPremove' | 'flip' | 'look'>,
    private readonly tell: (text: string, lang?: Utterance['lang']) => void,
    private readonly leave: () => void,
  ) {
    this.element.className = 'squares';
    this.element.dataset.testid = 'grid';
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-description', say('grid.keys'));
    this.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  /** Draw the displayed board. */
  show(table: AccessibleGame): void {
    const before = this.table;
    this.table = table;
    if (table.kind !== this.kind) this.build(table.kind);
    this.cover();
    if (before && before.bottom !== table.bottom) this.turn();
    const same = this.shown === table.position && before !== null && sameWays(before, table);
    if (this.shown !== table.position) {
      this.shown = table.position;
      this.board = table.kind.placement(table.position);
      this.selected = null;
    }
    if (!same) this.destinations = this.waysOf(table);
    this.queries.show(table, this.board, this.destinations);
    if (same) return;
    if (this.selected !== null && !this.destinations?.has(this.selected)) this.selected = null;
    this.draw();
  }

  private waysOf(table: AccessibleGame): Destinations | null {
    this.isAhead = false;
    if (!isLive(table)) return null;
    if (isToMove(table)) return table.legal && table.kind.destinations(table.legal, table.game);
    const ahead = table.underway === null ? table.premoveOptions() : null;
    this.isAhead = ahead !== null;
    return ahead && table.kind.destinations(ahead.moves, { variant: table.game.variant, position: ahead.position });
  }

  /** Flip the board; the focus stays on its square. */
  private turn(): void {
    const inside = this.element.contains(document.activeElement);
    this.cells[this.at]?.setAttribute('tabindex', '-1');
    this.at = this.cells.length - 1 - this.at;
    this.cells[this.at]?.setAttribute('tabindex', '0');
    if (inside) this.cells[this.at]?.focus();
  }

  /** Keep the size of the visual board below, whose squares are whole pixels, and replace it for screen readers. */
  private cover(): void {
    const board = this.element.parentElement?.querySelector<HTMLElement>(':scope > .board');
    if (!board || board === this.covered) return;
    this.covered = board;
    board.setAttribute('aria-hidden', 'true');
    new ResizeObserver(() => requestAnimationFrame(() => this.fit(board))).observe(board);
  }

  private fit(board: HTMLElement): void {
    const size = (board.querySelector('cg-container') ?? board).getBoundingClientRect().width;
    this.element.style.width = this.element.style.height = size ? `${size}px` : '';
  }

  /** Focus `square`, or the current one. */
  focus(square?: Square): void {
    if (square !== undefined) this.at = this.stand(this.indexOf(square));
    this.cells[this.at]?.focus();
  }

  /** Row by row, from White's lower left. */
  private build(kind: GameKind): void {
    this.kind = kind;
    const { squares, placeOf, box } = kind.lattice;
    const name = say(kind.hasLines ? 'grid.name' : 'grid.name.other');
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

  private cell(index: number): HTMLElement {
    const cell = document.createElement('div');
    cell.setAttribute('role', 'gridcell');
    cell.tabIndex = -1;
    // Screen readers click without a key: the same as Enter.
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
    const { kind } = this;
    if (kind === null) return;
    const lately: readonly Square[] = last === undefined ? [] : kind.endpoints(last);
    const targets = this.selected === null ? undefined : this.destinations?.get(this.selected);
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
      cell.dataset.dark = String(kind.hasLines && isDark(square));
      const letter = piece ? letterOf(kind, piece) : '·';
      if (cell.textContent !== letter) cell.textContent = letter;
    });
  }

  private squareAt(index: number): Square {
    const squares = this.kind?.lattice.squares ?? [];
    return squares[this.table?.bottom === 'b' ? squares.length - 1 - index : index] ?? '';
  }

  private indexOf(square: Square): number {
    const squares = this.kind?.lattice.squares ?? [];
    const index = squares.indexOf(square);
    return this.table?.bottom === 'b' ? squares.length - 1 - index : index;
  }

  /** Make it the tab stop. */
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
    // Keeps the page's own keys from acting too.
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
    if (digit !== undefined && table.kind.hasLines) {
      const square = shiftKey ? 'abcdefgh'.charAt(Number(digit) - 1) + here[1] : here[0] + digit;
      return this.did(() => this.go(this.indexOf(square)));
    }
    // With Alt some keyboards type another character.
    const letter = altKey ? 'x' : key.toLowerCase();
    if (Object.hasOwn(table.kind.keys, letter)) return this.did(() => this.seek(letter, shiftKey ? -1 : 1));
    switch (letter) {
      case 'home':
        return this.did(() => this.go(endOfRow(table.kind, this.at, -1)));
      case 'end':
        return this.did(() => this.go(endOfRow(table.kind, this.at, 1)));
      case 'enter':
      case ' ':
        return this.did(() => this.use());
      case 'escape':
        return this.did(() => this.release());
      case 'o':
        return this.did(() => this.tell(this.queries.describe(here)));
      case 'l':
        return this.did(() => this.tellLast(table));
      case 'c':
        return this.did(() => this.tell(tellTaken(table)));
      case 't':
        return this.did(() => this.tell(tellClocks(table)));
      case 'm':
        return this.did(() => this.tell(this.queries.moves(here, shiftKey)));
      case 'x':
        return table.kind.hasLines && this.did(() => this.tell(this.queries.along(here, altKey, shiftKey)));
      case 'a':
        if (!shiftKey && !table.kind.hasLines) return false;
        return this.did(() => (shiftKey ? this.step(table, -1) : this.tell(this.queries.attacked(here))));
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
    const to = this.kind === null ? null : gridStep(this.kind, this.at, columns, rows);
    if (to !== null) this.go(to);
    return true;
  }

  /** Go to the next piece of that role, of either side. */
  private seek(key: string, step: 1 | -1): void {
    const all = this.cells.length;
    const role = this.kind!.keys[key]!;
    for (let away = 1; away < all; away += 1) {
      const index = (this.at + step * away + all) % all;
      if (this.board.get(this.squareAt(index))?.role === role) return this.go(index);
    }
    this.tell(say('told.no-pieces', { piece: roleName(role) }));
  }

  private use(): void {
    const { table, destinations, selected } = this;
    if (table === null) return;
    const square = this.squareAt(this.at);
    if (destinations === null) return this.tell(say(isLive(table) ? 'grid.not-yours' : 'grid.back'));
    const moves = selected === null ? undefined : destinations.get(selected)?.get(square);
    if (moves) this.put(moves);
    else if (selected !== null && square === selected) this.release();
    else if (selected === null || this.board.get(square)?.color === this.board.get(selected)?.color) this.take(square, table);
    else this.tell(say('grid.no-way', { piece: roleName(this.board.get(selected)?.role ?? 'p'), square }));
  }

  private take(square: Square, table: AccessibleGame): void {
    const piece = this.board.get(square);
    const mine = this.isAhead ? seat(table) : table.game.turn;
    if (piece?.color !== mine || !this.destinations?.has(square)) return this.tell(say('grid.no-piece'));
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
    // The promotion is chosen when the pawn arrives.
    const ahead = this.table!.kind.premoveOf(move);
    const telling = this.table!.telling;
    this.tell(this.hands.setPremove(ahead) ? say('ahead.set', { move: tellUci(ahead, this.shown, telling) }) : say('grid.not-yours'));
  }

  /** Escape undoes one thing: the selection, the premove, the focus on the board. */
  private release(): void {
    if (this.selected !== null) {
      this.selected = null;
      this.draw();
      this.tell(say('grid.released'));
    } else if (this.table?.premove) {
      this.hands.setPremove(null);
      this.tell(say('ahead.off-again'));
    } else this.leave();
  }

  private tellLast({ game, telling }: AccessibleGame): void {
    const { text, lang } = tellLast(game, telling);
    this.tell(text, lang);
  }

  /** Step through the moves. */
  private step({ game, shown, telling }: AccessibleGame, by: 1 | -1): void {
    const ply = Math.max(0, Math.min(shown + by, game.moves.length));
    this.hands.look(ply);
    this.tell(tellShown(game, ply, telling));
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
function letterOf({ keys }: GameKind, { role, color }: Piece): string {
  const letter = Object.keys(keys).find((key) => keys[key] === role) ?? role;
  return color === 'w' ? letter.toUpperCase() : letter;
}

/** Whether nothing that the grid shows has changed. */
const sameWays = (a: AccessibleGame, b: AccessibleGame): boolean =>
  a.bottom === b.bottom &&
  a.legal === b.legal &&
  a.shown === b.shown &&
  a.underway === b.underway &&
  a.own.length === b.own.length &&
  a.game.status === b.game.status;
