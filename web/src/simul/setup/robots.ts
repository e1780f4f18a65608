/** The host of a simul fills its empty boards with robots, before it starts. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { SimulSnapshot } from '../../net/protocol';
import { say } from '../../words/words';

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];

const USUAL = 3;

/** Rated simuls have no robots. */
export function fillWithRobots(app: App, now: SimulSnapshot): TemplateResult | typeof nothing {
  if (now.rated) return nothing;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const level = Number(new FormData(event.target as HTMLFormElement).get('level'));
    void app.attempt(() => app.change({ t: 'simul.add_robots', simul: now.simul, level }));
  };
  return html`<section class="card" aria-labelledby="robots-title">
    <h2 id="robots-title">${say('simul.robots')}</h2>
    <form class="link" @submit=${submit}>
      <select name="level" data-testid="robots-level" aria-label=${say('simul.robots.level.label')}>
        ${LEVELS.map((level) => html`<option value=${level} ?selected=${level === USUAL}>${say('simul.robots.level', { n: level })}</option>`)}
      </select>
      <button data-testid="simul-robots" ?disabled=${now.players.length >= now.max_boards}>${say('simul.robots.fill')}</button>
    </form>
    <p class="hint">${say('simul.robots.hint')}</p>
  </section>`;
}
