/** The level of the robot, in the form of a new game. */

import { html, type TemplateResult } from 'lit-html';
import { choice } from '../../ui/choice';
import { say } from '../../words/words';
import { lastLevel, LEVELS } from '../waiting/robots';

export class LevelField {
  constructor(
    private readonly edited: () => void,
    public level = lastLevel(),
  ) {}

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
    </fieldset>`;
  }
}
