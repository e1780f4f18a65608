/** Chess960 start position: drawn, or chosen by number and shown. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { CHESS } from '../../board/grounds';
import { miniBoard } from '../../board/mini-board';
import { choice } from '../../ui/choice';
import { startOf, STARTS } from '../../variants/chess960';
import { gameOf } from '../../variants/registry';
import { say, type PlainKey } from '../../words/words';

/** The position of standard chess, as a familiar start. */
const USUAL = 518;
const LAST = STARTS - 1;

export class StartField {
  private numbered = false;
  private number = USUAL;

  /** `random`: from 0 to below 1. */
  constructor(
    private readonly edited: () => void,
    private readonly random: () => number = Math.random,
  ) {}

  /** The chosen number; null if the server draws. */
  chosen(variant: string): number | null {
    return gameOf(variant).starts > 1 && this.numbered ? this.number : null;
  }

  fault(variant: string): PlainKey | null {
    const number = this.chosen(variant);
    return number === null || isStart(number) ? null : 'create.fault.start';
  }

  draw(variant: string): TemplateResult | typeof nothing {
    if (gameOf(variant).starts === 1) return nothing;
    return html`<fieldset data-testid="start-field">
      <legend>${say('create.start')}</legend>
      <div class="choices">${this.option(false, say('create.start.drawn'))} ${this.option(true, say('create.start.number'))}</div>
      ${this.numbered ? this.field() : nothing}
    </fieldset>`;
  }

  private field(): TemplateResult {
    const wrong = !isStart(this.number);
    const name = wrong ? '' : say('create.start.preview', { n: this.number });
    return html`<div class="position start">
      <label
        >${say('create.start.label', { last: LAST })}
        <input
          type="number"
          data-testid="start-number"
          min="0"
          max=${LAST}
          step="1"
          inputmode="numeric"
          aria-describedby="start-fault"
          aria-invalid=${String(wrong)}
          .value=${Number.isNaN(this.number) ? '' : String(this.number)}
          @input=${(event: Event) => this.change(() => (this.number = (event.target as HTMLInputElement).valueAsNumber))}
        />
      </label>
      <button type="button" data-testid="start-draw" @click=${() => this.change(() => this.lot())}>${say('create.start.lot')}</button>
      <p id="start-fault" class="fault" role="status">${wrong ? say('create.fault.start') : nothing}</p>
      ${wrong
        ? nothing
        : html`<div class="position-board" role="img" data-testid="start-board" aria-label=${name}>
            ${miniBoard(CHESS, startOf(this.number), null)}
          </div>`}
    </div>`;
  }

  private option(numbered: boolean, label: string): TemplateResult {
    return choice({
      name: 'start',
      value: numbered ? 'number' : 'drawn',
      label,
      checked: this.numbered === numbered,
      pick: () => this.change(() => (this.numbered = numbered)),
    });
  }

  private lot(): void {
    this.number = Math.floor(this.random() * STARTS);
  }

  private change(how: () => void): void {
    how();
    this.edited();
  }
}

const isStart = (number: number): boolean => Number.isInteger(number) && number >= 0 && number <= LAST;
