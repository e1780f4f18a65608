/**
 * The board as an ARIA grid: arrow keys move, every square has a label, Enter moves a piece. It lies invisibly over the
 * visual board, and stands alone in text mode.
 */

import { opposite } from '../notation/color';
import { pieceName, roleName, type Placement, type Square } from '../notation/pieces';
import type { Utterance } from '../notation/tell-move';
import type { Destinations } from '../notation/uci';
import { say, SIDES } from '../words/words';
import { isLive, isToMove, seat, type AccessibleGame, type GameActions } from './accessible-game';
import { LatticeGrid, letterOf } from './lattice-grid';
import { isDark, SquareQueries } from './square-queries';
import { tellClocks, tellLast, tellShown, tellTaken, tellUci } from './tell';

/** The key that tells the next line, whatever its label. */
const LOOK_CODE = 'KeyX';
export class SquareGrid {
  readonly element: HTMLElement;
  private readonly grid = new LatticeGrid(() => this.use());
  private table: AccessibleGame | null = null;
  private shown = '';
  private covered: HTMLElement | null = null;
  private board: Placement = new Map();
  /** Destinations of pieces, now or as premoves. */
  private destinations: Destinations | null = null;
  private isAhead = false;
  private selected: Square | null = null;
  private readonly queries = new SquareQueries();

  /** `leave` goes to the input; `tell` announces. */
  constructor(
    private readonly hands: Pick<GameActions, 'drop' | 'setPremove' | 'flip' | 'hint' | 'look' | 'touch'>,
    private readonly tell: (text: string, lang?: Utterance['lang']) => void,
    private readonly leave: () => void,
  ) {
    this.element = this.grid.element;
    this.element.setAttribute('aria-description', say('grid.keys'));
    this.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  /** Draw the displayed board. */
  show(table: AccessibleGame): void {
    const before = this.table;
    this.table = table;
    if (table.kind !== this.grid.kind) {
      this.grid.bottom = table.bottom;
      this.grid.build(table.kind, say(table.kind.hasLines ? 'grid.name' : 'grid.name.other'));
    }
    this.cover();
    this.grid.turn(table.bottom);
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
    this.grid.focus(square);
  }

  private draw(): void {
    const last = this.table?.game.moves[this.table.shown - 1];
    const { kind } = this.grid;
    if (kind === null) return;
    const lately: readonly Square[] = last === undefined ? [] : kind.endpoints(last);
    const targets = this.selected === null ? undefined : this.destinations?.get(this.selected);
    this.grid.cells.forEach((cell, index) => {
      const square = this.grid.squareAt(index);
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
    const { here } = this.grid;
    if (this.grid.walk(key) || (key === ' ' && table.laws?.space(table))) return true;
    const digit = /^Digit([1-8])$/.exec(code)?.[1];
    if (digit !== undefined && table.kind.hasLines) {
      const square = shiftKey ? 'abcdefgh'.charAt(Number(digit) - 1) + here[1] : here[0] + digit;
      return this.did(() => this.grid.focus(square));
    }
    // With Alt some keyboards type another character.
    const letter = altKey ? 'x' : key.toLowerCase();
    if (Object.hasOwn(table.kind.keys, letter)) return this.did(() => this.seek(letter, shiftKey ? -1 : 1));
    switch (letter) {
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
      case 'h':
        return this.did(() => this.hands.hint());
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

  /** Go to the next piece of that role, of either side. */
  private seek(key: string, step: 1 | -1): void {
    const { grid } = this;
    const all = grid.cells.length;
    const role = grid.kind!.keys[key]!;
    for (let away = 1; away < all; away += 1) {
      const index = (grid.at + step * away + all) % all;
      if (this.board.get(grid.squareAt(index))?.role === role) return grid.go(index);
    }
    this.tell(say('told.no-pieces', { piece: roleName(role) }));
  }

  private use(): void {
    const { table, destinations, selected } = this;
    if (table === null) return;
    const square = this.grid.here;
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
    if (!this.isAhead) this.hands.touch?.(square);
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

/** Whether nothing that the grid shows has changed. */
const sameWays = (a: AccessibleGame, b: AccessibleGame): boolean =>
  a.bottom === b.bottom &&
  a.legal === b.legal &&
  a.shown === b.shown &&
  a.underway === b.underway &&
  a.own.length === b.own.length &&
  a.game.status === b.game.status;
