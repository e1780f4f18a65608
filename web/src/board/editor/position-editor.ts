/**
 * A position editor: palettes, a board, side to move, castling rights. The text of the position is the caller's; the
 * editor shows it and reports a new one.
 */

import '../../styles/setup.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { pieceName, type Piece, type Square } from '../../notation/pieces';
import { choice } from '../../ui/choice';
import { icon, type IconName } from '../../ui/icons';
import { say, SIDES } from '../../words/words';
import type { VariantRef } from '../grounds';
import { formatOf } from './formats';
import { pieceIcon } from './piece-icon';
import { cleared, isSame, put, shift, withTurn, type PositionFormat, type Right, type Setup } from './setup';
import { SetupBoard, type Tool } from './setup-board';

let made = 0;

export class PositionEditor {
  private readonly board: SetupBoard;
  /** Of the radio buttons and fields; unique on the page. */
  private readonly id = `setup-${(made += 1)}`;
  private of: VariantRef | null = null;
  private format: PositionFormat | null = null;
  /** The last text that could be read. */
  private text: string | null = null;
  private setup: Setup | null = null;
  private tool: Tool = 'hand';
  private bottom: Color = 'w';
  private told = '';

  /** `edit` gets the new text; `changed`: draw again. */
  constructor(
    private readonly edit: (text: string) => void,
    private readonly changed: () => void,
  ) {
    this.board = new SetupBoard({
      put: (square, piece) => this.put(square, piece),
      shift: (from, to) => this.shift(from, to),
      flip: () => this.flip(),
      tell: (text) => this.tell(text),
    });
  }

  close(): void {
    this.board.close();
  }

  /** Why no game of `variant` can start from `text`; null if nothing is known against it, or the board is not loaded. */
  faultIn(variant: string, text: string): string | null {
    return this.of?.variant === variant ? (this.format?.fault(text) ?? null) : null;
  }

  /** Whether one click makes `text`: the start position, or the empty board. */
  isPlain(text: string): boolean {
    const { format } = this;
    return format !== null && [format.start, cleared(format, format.start)].some((setup) => format.write(setup) === text);
  }

  /** `text` with all its fields, as the server takes it; itself if it cannot be read. */
  complete(text: string): string {
    const read = this.format?.read(text);
    return read === undefined || 'fault' in read ? text : this.format!.write(read);
  }

  /** `text`: the position as it is now; empty for the start position. */
  draw(of: VariantRef, text: string): TemplateResult | typeof nothing {
    if (of.game !== this.of?.game || of.variant !== this.of.variant) void this.load(of, text);
    const { format } = this;
    if (format === null || this.of === null) return html`<p class="hint" role="status">${say('app.loading')}</p>`;
    if (text !== this.text) this.read(text);
    const setup = this.setup!;
    this.board.show(this.of, format, setup, this.tool, this.bottom);
    return html`<div class="setup" data-testid="setup">
      <div class="setup-field">
        ${this.palette(format, opposite(this.bottom))} ${this.board.element} ${this.palette(format, this.bottom)}
        <p class="hint">${say('setup.hint')} <span class="by-mouse">${say('setup.hint.mouse')}</span></p>
      </div>
      <div class="setup-terms">
        <div class="setup-tools">
          ${this.button('start', 'again', say('create.position.start'), () => this.make(format.start, say('create.position.start')))}
          ${this.button('empty', 'cross', say('setup.empty'), () => this.make(cleared(format, setup), say('setup.empty')))}
          ${this.button('flip', 'turn', say('do.flip'), () => this.flip())}
        </div>
        <fieldset>
          <legend>${say('setup.turn')}</legend>
          <div class="choices">${(['w', 'b'] as const).map((color) => this.turn(format, setup, color))}</div>
        </fieldset>
        ${this.castling(format, setup)} ${this.passant(format, setup)}
      </div>
      <p class="unseen" role="status" data-testid="setup-told">${this.told}</p>
    </div>`;
  }

  private async load(of: VariantRef, text: string): Promise<void> {
    this.of = of;
    const before = this.format;
    this.format = null;
    const format = await formatOf(of).catch(() => null);
    if (this.of !== of) return;
    if (format === null) {
      // Without a connection: the next drawing tries again.
      this.of = null;
      return;
    }
    this.format = format;
    this.setup = format.start;
    this.text = null;
    this.tool = 'hand';
    this.take(text, before !== null);
    this.changed();
  }

  /** A text of another game is taken over as far as it makes sense here; none is the start position. */
  private take(text: string, foreign: boolean): void {
    const format = this.format!;
    const read = text.trim() === '' ? null : format.read(text);
    if (read !== null && (!foreign || (!('fault' in read) && format.fault(text) === null))) return;
    const kept = read === null || 'fault' in read ? null : format.settle(read);
    this.edit(format.write(kept === null || format.fault(format.write(kept)) !== null ? format.start : kept));
  }

  private read(text: string): void {
    this.text = text;
    const read = this.format!.read(text);
    // What cannot be read leaves the board as it is: more may be typed.
    if (!('fault' in read)) this.setup = read;
  }

  // --- changes ------------------------------------------------------------------

  private make(setup: Setup, told: string): void {
    this.setup = setup;
    this.text = this.format!.write(setup);
    this.told = told === this.told ? `${told}\u00a0` : told;
    this.edit(this.text);
  }

  private put(square: Square, piece: Piece | null): void {
    const { format, setup } = this;
    if (format === null || setup === null || isSame(setup.board.get(square), piece ?? undefined)) return;
    this.make(put(format, setup, square, piece), said(square, piece));
  }

  private shift(from: Square, to: Square | null): void {
    const { format, setup } = this;
    const piece = setup?.board.get(from);
    if (format === null || setup === null || piece === undefined) return;
    this.make(shift(format, setup, from, to), to === null ? said(from, null) : said(to, piece));
  }

  private flip(): void {
    this.bottom = opposite(this.bottom);
    this.tell(say('grid.turned', { side: SIDES[this.bottom] }));
  }

  private tell(text: string): void {
    this.told = text === this.told ? `${text}\u00a0` : text;
    this.changed();
  }

  private choose(tool: Tool): void {
    this.tool = tool;
    this.changed();
  }

  // --- parts --------------------------------------------------------------------

  /** The pieces of a side, and beside them the hand or the eraser. */
  private palette({ kind }: PositionFormat, color: Color): TemplateResult {
    const tool = color === this.bottom ? 'hand' : 'erase';
    return html`<div class="setup-palette" role="group" aria-label=${say('setup.pieces', { side: SIDES[color] })}>
      ${kind.roles.map((role) => this.piece({ role, color }))}
      <button
        type="button"
        class="setup-tool"
        data-testid="setup-${tool}"
        aria-pressed=${String(this.tool === tool)}
        @click=${() => this.choose(tool)}
      >
        ${icon(tool)}<span>${say(`setup.${tool}`)}</span>
      </button>
    </div>`;
  }

  private piece(piece: Piece): TemplateResult {
    const { tool } = this;
    const chosen = tool !== 'hand' && tool !== 'erase' && isSame(tool, piece);
    const name = pieceName(piece);
    return html`<button
      type="button"
      class="setup-tool"
      data-testid="setup-${piece.color}${piece.role}"
      aria-label=${name}
      aria-pressed=${String(chosen)}
      @pointerdown=${(event: PointerEvent) => this.board.lift(piece, event)}
      @click=${(event: MouseEvent) => (event.detail > 0 && this.board.wasDragged) || this.choose(chosen ? 'hand' : piece)}
    >
      ${pieceIcon(this.of!, piece)}
    </button>`;
  }

  private button(name: string, picture: IconName, label: string, act: () => void): TemplateResult {
    return html`<button type="button" data-testid="setup-${name}" @click=${act}>${icon(picture)}<span>${label}</span></button>`;
  }

  private turn(format: PositionFormat, setup: Setup, color: Color): TemplateResult {
    const told = say('setup.to-move', { side: SIDES[color] });
    return choice({
      name: `${this.id}-turn`,
      value: color,
      label: SIDES[color],
      checked: setup.turn === color,
      pick: () => this.make(withTurn(format, setup, color), told),
    });
  }

  private castling(format: PositionFormat, setup: Setup): TemplateResult | typeof nothing {
    const rights = format.rights(setup);
    if (rights.length === 0) return nothing;
    return html`<fieldset>
      <legend>${say('setup.castling')}</legend>
      <div class="setup-rights">
        ${rights.map(
          ({ right, on }) =>
            html`<label class="box"
              ><input
                type="checkbox"
                data-testid="setup-right-${right}"
                .checked=${on}
                @change=${(event: Event) => this.allow(format, setup, right, (event.target as HTMLInputElement).checked)}
              />
              ${say(`setup.castling.${right}`)}</label
            >`,
        )}
      </div>
    </fieldset>`;
  }

  private allow(format: PositionFormat, setup: Setup, right: Right, on: boolean): void {
    this.make(format.withRight(setup, right, on), '');
  }

  private passant(format: PositionFormat, setup: Setup): TemplateResult | typeof nothing {
    const squares = format.passants(setup);
    if (squares.length === 0) return nothing;
    const set = (event: Event) => this.make({ ...setup, passant: (event.target as HTMLSelectElement).value }, '');
    return html`<label class="setup-passant"
      >${say('setup.passant')}
      <select data-testid="setup-passant" @change=${set}>
        <option value="" ?selected=${setup.passant === ''}>${say('setup.passant.none')}</option>
        ${squares.map((square) => html`<option value=${square} ?selected=${square === setup.passant}>${square}</option>`)}
      </select>
    </label>`;
  }
}

const said = (square: Square, piece: Piece | null): string =>
  say('grid.square', { square, piece: piece === null ? say('grid.empty') : pieceName(piece) });
