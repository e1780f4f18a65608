/** A position to begin from: typed or pasted as FEN, looked over, and shown. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { miniBoard } from '../mini-board';
import { readPosition, type Read } from '../position';
import { say, SIDES } from '../words';

const LONGEST = 256;

export class PositionField {
  on = false;
  private text = '';

  constructor(private readonly edited: () => void) {}

  /** Null where the game begins as usual. */
  read(variant: string): Read | null {
    return this.on ? readPosition(this.text, variant === 'chess960') : null;
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
    const fault = 'fault' in read && this.text.trim() !== '' ? say(read.fault) : '';
    return html`<div class="position">
      <label
        >${say('create.position.fen')}
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
      ${'fen' in read
        ? html`<div
            class="position-board"
            role="img"
            data-testid="fen-board"
            aria-label=${say('create.position.preview', { side: SIDES[read.turn] })}
          >
            ${miniBoard(read.fen, null, read.turn)}
          </div>`
        : nothing}
    </div>`;
  }

  private change(how: () => void): void {
    how();
    this.edited();
  }
}
