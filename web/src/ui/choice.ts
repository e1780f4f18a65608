/** A radio button that looks like a button. */

import { html, type TemplateResult } from 'lit-html';

export interface Option {
  /** Name of the group. */
  name: string;
  value: string;
  label: string;
  checked: boolean;
  pick(): void;
  disabled?: boolean;
}

export function choice({ name, value, label, checked, pick, disabled = false }: Option): TemplateResult {
  return html`<label class="choice"
    ><input type="radio" name=${name} value=${value} .checked=${checked} ?disabled=${disabled} @change=${pick} /><span
      >${label}</span
    ></label
  >`;
}
