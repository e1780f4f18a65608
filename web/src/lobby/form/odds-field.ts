/** Handicap: another time control for the opponent. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { TimeControl } from '../../net/protocol';
import { controlOf, faultOf, newTempo, type TempoDraft } from '../../time/control-draft';
import { say, type PlainKey } from '../../words/words';
import { TempoChoice } from './tempo-choice';

export class OddsField {
  on = false;
  private readonly draft: TempoDraft = newTempo();
  private readonly choice: TempoChoice;

  constructor(private readonly edited: () => void) {
    this.choice = new TempoChoice(this.draft, 'odds', edited, []);
  }

  /** The opponent's control; null for the same as one's own. */
  control(): TimeControl {
    return this.on ? controlOf(this.draft) : null;
  }

  /** `own`: the player's own control. */
  fault(own: TempoDraft): PlainKey | null {
    if (!this.on) return null;
    return this.clash(own) ?? faultOf(this.draft);
  }

  /** Whether a handicap is impossible with the player's own control. */
  clash(own: TempoDraft): PlainKey | null {
    return this.on && (own.pick === 'days' || own.pick === 'none') ? 'create.fault.odds' : null;
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
