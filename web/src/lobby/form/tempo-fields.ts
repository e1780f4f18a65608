/** Fields of a custom control: increment, delay, Bronstein, periods, days. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { CONTROL_KINDS, MOST_PERIODS, type ControlKind, type PeriodDraft, type TempoDraft } from '../../time/control-draft';
import { say } from '../../words/words';

export class TempoFields {
  constructor(
    private readonly draft: TempoDraft,
    private readonly edited: () => void,
  ) {}

  draw(): TemplateResult | typeof nothing {
    if (this.draft.pick === 'days') {
      return html`<div class="custom">
        ${this.number(say('create.days-label'), this.draft.days, [1, 14, '1'], (n) => (this.draft.days = n))}
      </div>`;
    }
    return this.draft.pick === 'custom' ? this.custom() : nothing;
  }

  private custom(): TemplateResult {
    const { draft } = this;
    return html`<div class="custom">
      <label
        >${say('create.kind')}
        <select data-testid="kind" @change=${(event: Event) => this.turn((event.target as HTMLSelectElement).value as ControlKind)}>
          ${CONTROL_KINDS.map((kind) => html`<option value=${kind} ?selected=${kind === draft.kind}>${say(`create.kind.${kind}`)}</option>`)}
        </select>
      </label>
      ${draft.kind === 'periods'
        ? this.periods()
        : html`${this.number(say('create.minutes'), draft.minutes, [0, 180, '0.25'], (n) => (draft.minutes = n))}
          ${this.number(say(`create.seconds.${draft.kind}`), draft.seconds, [0, 180, '1'], (n) => (draft.seconds = n))}`}
    </div>`;
  }

  private periods(): TemplateResult {
    const { periods } = this.draft;
    return html`<div class="periods">
      ${periods.map((period, index) => this.period(period, index))}
      <button
        type="button"
        ?disabled=${periods.length >= MOST_PERIODS}
        @click=${() => this.change(() => this.append())}
      >
        ${say('create.period.add')}
      </button>
    </div>`;
  }

  private period(period: PeriodDraft, index: number): TemplateResult {
    const { periods } = this.draft;
    const n = index + 1;
    return html`<div class="period" role="group" aria-label=${say('create.period', { n })}>
      <label
        >${say('create.period.moves')}
        <input
          type="number"
          min="1"
          max="200"
          placeholder=${index === periods.length - 1 ? say('create.period.rest') : ''}
          .value=${period.moves === null ? '' : shown(period.moves)}
          @input=${(event: Event) => this.change(() => (period.moves = optional(event)))}
        />
      </label>
      ${this.number(say('create.minutes'), period.minutes, [0, 180, '0.25'], (value) => (period.minutes = value))}
      ${this.number(say('create.period.inc'), period.inc_s, [0, 180, '1'], (value) => (period.inc_s = value))}
      ${periods.length > 1
        ? html`<button
            type="button"
            class="plain"
            aria-label=${say('create.period.remove', { n })}
            @click=${() => this.change(() => periods.splice(index, 1))}
          >
            ×
          </button>`
        : nothing}
    </div>`;
  }

  private number(
    label: string,
    value: number,
    [least, most, step]: readonly [number, number, string],
    set: (n: number) => void,
  ): TemplateResult {
    return html`<label
      >${label}
      <input
        type="number"
        min=${least}
        max=${most}
        step=${step}
        .value=${shown(value)}
        @input=${(event: Event) => this.change(() => set((event.target as HTMLInputElement).valueAsNumber))}
      />
    </label>`;
  }

  /** Add a period at the end; the one before it needs a number of moves now. */
  private append(): void {
    const { periods } = this.draft;
    const last = periods.at(-1);
    if (last) last.moves ??= 20;
    periods.push({ moves: null, minutes: 15, inc_s: last?.inc_s ?? 0 });
  }

  private turn(kind: ControlKind): void {
    this.change(() => (this.draft.kind = kind));
  }

  private change(how: () => void): void {
    how();
    this.edited();
  }
}

/** An emptied field is kept as NaN, which is always invalid. */
const shown = (n: number) => (Number.isNaN(n) ? '' : String(n));

const optional = (event: Event): number | null => {
  const { value, valueAsNumber } = event.target as HTMLInputElement;
  return value === '' ? null : valueAsNumber;
};
