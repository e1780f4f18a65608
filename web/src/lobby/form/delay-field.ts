/** Select of the public delay, in minutes or moves. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Delay } from '../../time/delay';
import { say } from '../../words/words';

const MINUTES = [1, 3, 5, 10, 15];
const MOVES = [1, 3, 5, 10];

const none = 'none';

/** The delay of a choice; empty for none. */
export function delayOf(chosen: string): Delay {
  const [n, unit] = chosen.split(' ');
  if (unit === 'min') return { delay_s: Number(n) * 60 };
  return unit === 'moves' ? { delay_moves: Number(n) } : {};
}

/** `pick` is called with the new choice. */
export function delayField(chosen: string, pick: (choice: string) => void): TemplateResult {
  const option = (value: string, label: string) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
  return html`<fieldset>
    <label class="stacked" for="later">${say('create.later')}</label>
    <select
      id="later"
      aria-describedby="later-hint"
      data-testid="later"
      @change=${(event: Event) => pick((event.target as HTMLSelectElement).value)}
    >
      ${option(none, say('create.later.none'))} ${MINUTES.map((n) => option(`${n} min`, say('create.later.minutes', { n })))}
      ${MOVES.map((n) => option(`${n} moves`, say('create.later.moves', { n })))}
    </select>
    <p id="later-hint" class="hint">${chosen === none ? nothing : say('create.later.hint')}</p>
  </fieldset>`;
}
