/** Handicap: another time control for the opponent. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { TimeControl } from '../../net/protocol';
import { controlOf, faultOf, newTempo, type TempoDraft } from '../../time/control-draft';
import { say, type PlainKey } from '../../words/words';
import { TempoChoice } from './tempo-choice';

export class OddsField {
  on = false;
  readonly draft: TempoDraft = newTempo();
  private readonly choice: TempoChoice;

  constructor(private readonly edited: () => void) {
    this.choice = new TempoChoice(this.draft, 'odds', edited, []);
  }

  control(): TimeControl {
    return controlOf(this.draft);
  }

  fault(): PlainKey | null {
    return faultOf(this.draft);
  }

  draw(): TemplateResult {
    const turn = (event: Event) => {
      this.on = (event.target as HTMLInputElement).checked;
      this.edited();
    };
    return html`<fieldset>
        <label class="box"
          ><input type="checkbox" data-testid="odds" .checked=${this.on} @change=${turn} /> ${say('create.odds')}</label
        >
      </fieldset>
      ${this.on ? html`<div data-testid="odds-time">${this.choice.draw(say('create.odds.time'))}</div>` : nothing}`;
  }
}
