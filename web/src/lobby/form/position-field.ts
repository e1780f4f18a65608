/**
 * Start position: typed or pasted as FEN. The page validates and shows what it can; the server checks the rest on
 * request, and its refusal is shown here.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { miniBoard } from '../../board/mini-board';
import type { Color } from '../../net/protocol';
import { readPosition } from '../../notation/check-fen';
import { abilitiesOf, gameOf, isPlainKing, turnIn } from '../../variants/registry';
import { isKey, nameOf, say, SIDES, type PlainKey } from '../../words/words';

const LONGEST = 256;

/** `turn`: side to move; null if the position does not say. */
export type Start = { fen: string; turn: Color | null } | { fault: PlainKey };

/** `fen`, prepared for a request in `variant`. */
export function readStart(fen: string, variant: string): Start {
  if (abilitiesOf(variant).validatesPositions) return readPosition(fen, gameOf(variant).starts > 1, isPlainKing(variant));
  const text = fen.trim();
  if (text === '') return { fault: 'create.fault.position' };
  return { fen: text, turn: turnIn(text) };
}

/** Label for screen readers. */
export const startName = ({ turn }: { turn: Color | null }): string =>
  turn === null ? say('create.position.start') : say('create.position.preview', { side: SIDES[turn] });

export function startBoard(start: { fen: string; turn: Color | null }, variant: string, bottom: Color, id: string): TemplateResult {
  const { game } = gameOf(variant);
  return html`<div class="position-board" role="img" data-testid=${id} aria-label=${startName(start)}>
    ${miniBoard({ game, variant }, start.fen, null, bottom)}
  </div>`;
}

export class PositionField {
  on = false;
  private text = '';
  /** The position that the server refused, and why. */
  private refused: { fen: string; why: string } | null = null;

  constructor(private readonly edited: () => void) {}

  /** Null for the usual start position. */
  read(variant: string): Start | null {
    return this.on ? readStart(this.text, variant) : null;
  }

  /** Show why `fen` was refused, while the field has that value. */
  refuse(fen: string, why: string): void {
    this.refused = { fen, why };
    this.edited();
    document.querySelector<HTMLInputElement>('[data-testid=fen]')?.focus();
  }

  draw(variant: string): TemplateResult {
    return html`<fieldset>
      <label class="box"
        ><input
          type="checkbox"
          data-testid="position"
          .checked=${this.on}
          @change=${(event: Event) => this.change(() => (this.on = (event.target as HTMLInputElement).checked))}
        />
        ${say('create.position')}</label
      >
      ${this.on ? this.field(variant) : nothing}
    </fieldset>`;
  }

  private field(variant: string): TemplateResult {
    const read = this.read(variant)!;
    const fault = this.fault(read);
    const { game } = gameOf(variant);
    return html`<div class="position">
      <label
        >${nameOf('create.position.of', isKey(`create.position.of.${game}`) ? game : 'any')}
        <input
          type="text"
          data-testid="fen"
          maxlength=${LONGEST}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="fen-fault"
          aria-invalid=${String(fault !== '')}
          .value=${this.text}
          @input=${(event: Event) => this.change(() => (this.text = (event.target as HTMLInputElement).value))}
        />
      </label>
      <p id="fen-fault" class="fault" role="status" data-testid="fen-fault">${fault}</p>
      ${'fen' in read ? startBoard(read, variant, read.turn ?? 'w', 'fen-board') : nothing}
    </div>`;
  }

  private fault(read: Start): string {
    if ('fault' in read) return this.text.trim() === '' ? '' : say(read.fault);
    return this.refused?.fen === read.fen ? this.refused.why : '';
  }

  private change(how: () => void): void {
    how();
    this.edited();
  }
}
