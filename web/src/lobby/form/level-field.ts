/** The level of the robot, in the form of a new game. */

import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { choice } from '../../ui/choice';
import { say } from '../../words/words';
import { hasHints, lastHints, lastLevel, LEVELS, rememberHints } from '../waiting/robots';

export class LevelField {
  constructor(
    private readonly edited: () => void,
    public level = lastLevel(),
    private hinted = lastHints(),
  ) {}

  /** Whether the player wants hints, and the level has them. */
  get hints(): boolean {
    return this.hinted && hasHints(this.level);
  }

  draw(): TemplateResult {
    const pick = (level: number) => () => {
      this.level = level;
      this.edited();
    };
    return html`<fieldset data-testid="level-field">
      <legend>${say('robot.level')}</legend>
      <div class="choices levels">
        ${LEVELS.map((level) => choice({ name: 'level', value: String(level), label: String(level), checked: level === this.level, pick: pick(level) }))}
      </div>
      <p class="hint">${say('robot.level.hint')}</p>
      ${this.hintsBox()}
    </fieldset>`;
  }

  /** The choice returns with a lower level. */
  private hintsBox(): TemplateResult {
    const possible = hasHints(this.level);
    const turn = (event: Event) => {
      this.hinted = (event.target as HTMLInputElement).checked;
      rememberHints(this.hinted);
      this.edited();
    };
    return html`<label class="box"
        ><input
          type="checkbox"
          data-testid="hints"
          aria-describedby="hints-hint"
          .checked=${live(this.hints)}
          ?disabled=${!possible}
          @change=${turn}
        />
        ${say('robot.hints')}</label
      >
      <p id="hints-hint" class="hint">${say(possible ? 'robot.hints.hint' : 'robot.hints.none')}</p>`;
  }
}
