/** Choice of a time control: presets, and fields for any other. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { controlOf, faultOf, PRESETS, type TempoDraft } from '../../time/control-draft';
import { describe, inWords } from '../../time/control-text';
import { speedOf } from '../../time/speed';
import { choice } from '../../ui/choice';
import { nameOf, say } from '../../words/words';
import { TempoFields } from './tempo-fields';

export class TempoChoice {
  private readonly fields: TempoFields;

  /** `name`: of the radio group, unique on the page; `slow`: which of days and no clock are offered. */
  constructor(
    private readonly draft: TempoDraft,
    private readonly name: string,
    private readonly edited: () => void,
    private readonly slow: readonly ('days' | 'none')[],
  ) {
    this.fields = new TempoFields(draft, edited);
  }

  draw(legend: string): TemplateResult {
    return html`<fieldset>
      <legend>${legend}</legend>
      <div class="choices tempi">
        ${PRESETS.map((preset) => this.pick(preset, preset))} ${this.pick('custom', say('create.custom'))}
        ${this.slow.map((pick) => this.pick(pick, say(`create.${pick}`)))}
      </div>
      ${this.fields.draw()} ${this.said()}
    </fieldset>`;
  }

  /** The choice in short (if no button shows that) and in words; nothing if there is none. */
  private said(): TemplateResult | typeof nothing {
    const { draft } = this;
    if (draft.pick === 'none' || faultOf(draft) !== null) return nothing;
    const tc = controlOf(draft);
    const [short, words, speed] = [describe(tc), inWords(tc), nameOf('speed', speedOf(tc))];
    const isPreset = draft.pick !== 'custom' && draft.pick !== 'days';
    const said = isPreset || short !== words ? `${words} · ${speed}` : speed;
    return html`<p class="hint" data-testid="${this.name}-said">${isPreset ? nothing : html`<b>${short}</b>`} ${said}</p>`;
  }

  private pick(value: string, label: string): TemplateResult {
    const { draft } = this;
    const pick = () => {
      draft.pick = value;
      this.edited();
    };
    return choice({ name: this.name, value, label, checked: draft.pick === value, pick });
  }
}
