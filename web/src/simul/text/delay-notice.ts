/** The notice that a simul is shown with a delay. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulSnapshot } from '../../net/protocol';
import { say } from '../../words/words';

/** Nothing for those who see it live. */
export const delayNotice = ({ delay_s, you, status }: SimulSnapshot): TemplateResult | typeof nothing =>
  delay_s === 0 || you === 'host' || you === 'player' || status !== 'running'
    ? nothing
    : html`<p class="simul-delayed" data-testid="simul-delayed">${say('simul.delayed', { n: delay_s })}</p>`;
