/** Fields of a simul's form. */

import { html, type TemplateResult } from 'lit-html';

/** An integer; NaN if empty. */
export function number(label: string, value: number, [least, most]: readonly [number, number], set: (n: number) => void, id = ''): TemplateResult {
  return html`<label
    >${label}
    <input
      type="number"
      inputmode="numeric"
      min=${least}
      max=${most}
      step="1"
      data-testid=${id}
      .value=${Number.isNaN(value) ? '' : String(value)}
      @input=${(event: Event) => set((event.target as HTMLInputElement).valueAsNumber)}
    />
  </label>`;
}

export function box(label: string, checked: boolean, set: (on: boolean) => void, disabled = false, id = ''): TemplateResult {
  return html`<label class="box"
    ><input
      type="checkbox"
      data-testid=${id}
      ?disabled=${disabled}
      .checked=${checked}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
    />
    ${label}</label
  >`;
}

export function pick<Value extends string>(
  label: string,
  value: Value,
  options: readonly (readonly [Value, string])[],
  set: (value: Value) => void,
): TemplateResult {
  return html`<label
    >${label}
    <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value as Value)}>
      ${options.map(([name, text]) => html`<option value=${name} ?selected=${name === value}>${text}</option>`)}
    </select>
  </label>`;
}
