/**
 * The board of a position editor: pieces are dragged, painted and erased with the pointer, and placed with keys on the
 * grid of squares. It changes nothing itself: it reports what was done.
 */

import { render } from 'lit-html';
import { LatticeGrid } from '../../access/lattice-grid';
import type { Color } from '../../net/protocol';
import { pieceName, type Piece, type Square } from '../../notation/pieces';
import { say } from '../../words/words';
import type { GameKind } from '../core/game-kind';
import type { VariantRef } from '../grounds';
import { StillBoard } from '../still-board';
import { pieceIcon } from './piece-icon';
import { isSame, shift, type PositionFormat, type Setup } from './setup';

/** What a click on a square does: move pieces, erase, or place a piece. */
export type Tool = 'hand' | 'erase' | Piece;

export interface SetupActions {
  put(square: Square, piece: Piece | null): void;
  /** Move what stands on `from`; null removes it. */
  shift(from: Square, to: Square | null): void;
  flip(): void;
  /** Announce. */
  tell(text: string): void;
}

const LEFT = 0;
const RIGHT = 2;
/** In pixels; a shorter move is a click. */
const DRAGGED = 4;

interface Stroke {
  pointer: number;
  x: number;
  y: number;
  moved: boolean;
  /** `drag`: a piece from a square, or from the palette (`from` null). `paint`: put `piece`, or erase, square by square. */
  does: 'drag' | 'paint';
  piece: Piece | null;
  from: Square | null;
  last: Square | null;
}

export class SetupBoard {
  readonly element = document.createElement('div');
  /** Whether the last press of the pointer became a drag: then its click means nothing. */
  wasDragged = false;
  private readonly still = new StillBoard();
  private readonly grid = new LatticeGrid((event) => event.detail === 0 && this.use());
  private readonly ghost = document.createElement('span');
  private stroke: Stroke | null = null;
  private selected: Square | null = null;
  private of: VariantRef | null = null;
  private format: PositionFormat | null = null;
  private setup: Setup | null = null;
  private tool: Tool = 'hand';

  constructor(private readonly actions: SetupActions) {
    this.element.className = 'setup-board';
    this.element.dataset.testid = 'setup-board';
    this.ghost.className = 'setup-ghost';
    this.ghost.hidden = true;
    this.grid.element.setAttribute('aria-description', say('setup.keys'));
    this.element.append(this.still.element, this.grid.element, this.ghost);
    this.element.addEventListener('contextmenu', (event) => event.preventDefault());
    this.element.addEventListener('pointerdown', (event) => this.down(event));
    this.grid.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  close(): void {
    this.letGo();
  }

  show(of: VariantRef, format: PositionFormat, setup: Setup, tool: Tool, bottom: Color): void {
    if (format !== this.format) {
      this.selected = null;
      if (format.kind !== this.grid.kind) {
        this.grid.bottom = bottom;
        this.grid.build(format.kind, say('setup.board'));
      }
    }
    if (tool !== 'hand') this.selected = null;
    if (this.selected !== null && !setup.board.has(this.selected)) this.selected = null;
    this.of = of;
    this.format = format;
    this.setup = setup;
    this.tool = tool;
    this.grid.turn(bottom);
    this.draw();
  }

  /** Drag `piece` from the palette. */
  lift(piece: Piece, event: PointerEvent): void {
    if (event.button === LEFT && event.isPrimary) this.begin('drag', piece, null, event);
  }

  private draw(): void {
    const { of, format, setup, grid, stroke } = this;
    if (of === null || format === null || setup === null) return;
    const lifted = stroke?.does === 'drag' && stroke.moved && stroke.from !== null ? shift(format, setup, stroke.from, null) : setup;
    this.still.show(of, format.write(lifted), null, grid.bottom);
    grid.cells.forEach((cell, index) => {
      const square = grid.squareAt(index);
      const piece = setup.board.get(square);
      cell.setAttribute('aria-label', say('grid.square', { square, piece: piece ? pieceName(piece) : say('grid.empty') }));
      cell.setAttribute('aria-selected', String(square === this.selected));
      cell.dataset.square = square;
      cell.dataset.holds = String(piece !== undefined || this.tool !== 'hand' || this.selected !== null);
    });
    this.element.dataset.fen = format.write(setup);
  }

  // --- pointer ------------------------------------------------------------------

  private down(event: PointerEvent): void {
    const square = squareAt(event);
    const { setup, tool } = this;
    if (square === null || setup === null || !event.isPrimary) return;
    if (event.button === RIGHT) return this.paint(null, square, event);
    if (event.button !== LEFT) return;
    const there = setup.board.get(square);
    if (tool === 'erase') this.paint(null, square, event);
    else if (tool !== 'hand') this.paint(isSame(there, tool) ? null : tool, square, event);
    else if (there) this.begin('drag', there, square, event);
    else if (this.selected !== null) this.arrive(square);
  }

  private paint(piece: Piece | null, square: Square, event: PointerEvent): void {
    this.begin('paint', piece, square, event);
    this.actions.put(square, piece);
  }

  private begin(does: Stroke['does'], piece: Piece | null, from: Square | null, event: PointerEvent): void {
    this.letGo();
    this.wasDragged = false;
    this.stroke = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false, does, piece, from, last: from };
    addEventListener('pointermove', this.moved);
    addEventListener('pointerup', this.up);
    addEventListener('pointercancel', this.cancelled);
  }

  private readonly moved = (event: PointerEvent): void => {
    const { stroke } = this;
    if (stroke === null || event.pointerId !== stroke.pointer) return;
    if (stroke.does === 'paint') {
      const square = squareAt(event);
      if (square === null || square === stroke.last) return;
      stroke.last = square;
      return this.actions.put(square, stroke.piece);
    }
    if (!stroke.moved) {
      if (Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) < DRAGGED) return;
      stroke.moved = true;
      this.wasDragged = true;
      render(pieceIcon(this.of!, stroke.piece!), this.ghost);
      const side = this.element.getBoundingClientRect().width * this.unit();
      this.ghost.style.width = this.ghost.style.height = `${side}px`;
      this.ghost.hidden = false;
      this.draw();
    }
    this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  };

  private readonly up = (event: PointerEvent): void => {
    const { stroke } = this;
    if (stroke === null || event.pointerId !== stroke.pointer) return;
    this.letGo();
    if (stroke.does === 'paint') return;
    const { from, piece } = stroke;
    const square = squareAt(event);
    if (!stroke.moved) {
      if (from !== null) this.arrive(from);
    } else if (from !== null) {
      // Between the squares it goes back; off the board it is removed.
      if (square !== null || !this.isOver(event)) this.actions.shift(from, square);
    } else if (square !== null) this.actions.put(square, piece);
    this.draw();
  };

  private readonly cancelled = (event: PointerEvent): void => {
    if (event.pointerId !== this.stroke?.pointer) return;
    this.letGo();
    this.draw();
  };

  private isOver({ clientX, clientY }: PointerEvent): boolean {
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  }

  private letGo(): void {
    this.stroke = null;
    this.ghost.hidden = true;
    removeEventListener('pointermove', this.moved);
    removeEventListener('pointerup', this.up);
    removeEventListener('pointercancel', this.cancelled);
  }

  private unit(): number {
    const { lattice } = this.format!.kind;
    return lattice.box(lattice.squares[0]!)?.unit ?? 1 / lattice.columns;
  }

  /** Click `square` with the hand: select its piece, or move the selected one there. */
  private arrive(square: Square): void {
    const { selected, setup } = this;
    this.selected = selected === null && setup?.board.has(square) ? square : null;
    if (selected !== null && selected !== square) this.actions.shift(selected, square);
    else this.actions.tell(this.selected === null ? say('grid.released') : this.named('grid.selected', square));
    this.draw();
  }

  private named(key: 'grid.selected', square: Square): string {
    return say(key, { piece: pieceName(this.setup!.board.get(square)!), square });
  }

  // --- keyboard -----------------------------------------------------------------

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private act({ key, code, shiftKey }: KeyboardEvent): boolean {
    const { grid, format } = this;
    if (format === null) return false;
    if (grid.walk(key)) return true;
    const piece = pieceOf(format.kind, key) ?? pieceNumbered(format.kind, code, shiftKey);
    if (piece !== null) this.actions.put(grid.here, piece);
    else if (key === 'Delete' || key === 'Backspace') this.actions.put(grid.here, null);
    else if (key === 'Enter' || key === ' ') this.use();
    else if (key === 'Escape' && this.selected !== null) this.arrive(this.selected);
    else if (key === 'f') this.actions.flip();
    else return false;
    return true;
  }

  /** Use the tool on the current square. */
  private use(): void {
    const { grid, setup, tool } = this;
    if (setup === null) return;
    const there = setup.board.get(grid.here);
    if (tool === 'erase') this.actions.put(grid.here, null);
    else if (tool !== 'hand') this.actions.put(grid.here, isSame(there, tool) ? null : tool);
    else if (there || this.selected !== null) this.arrive(grid.here);
    else this.actions.tell(say('setup.nothing'));
  }
}

/** Capital letters are White's pieces, as in a FEN. Where there is one kind of piece, `w` and `b` name the side. */
export function pieceOf({ keys, roles }: GameKind, key: string): Piece | null {
  const letter = key.toLowerCase();
  if (key.length !== 1) return null;
  if (roles.length === 1 && 'wb'.includes(letter)) return { role: roles[0]!, color: letter as Color };
  const role = keys[letter] ?? roles.find((one) => one === letter);
  return role === undefined ? null : { role, color: key === letter ? 'b' : 'w' };
}

/** The digits are the pieces in the order of the palette, with Shift White's. */
function pieceNumbered({ roles }: GameKind, code: string, shift: boolean): Piece | null {
  const role = roles[Number(/^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]) - 1];
  return role === undefined ? null : { role, color: shift ? 'w' : 'b' };
}

/** The square under the pointer; a dragged touch has another target. */
function squareAt({ clientX, clientY }: PointerEvent): Square | null {
  return document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.setup-board [data-square]')?.dataset.square ?? null;
}
