/** That what is seen of an exhibition has been played a while ago. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulSnapshot } from '../../net/protocol';
import { say } from '../../words/words';

/** To whom it is told at once, nothing. */
export const delayNotice = ({ delay_s, you, status }: SimulSnapshot): TemplateResult | typeof nothing =>
  delay_s === 0 || you === 'host' || you === 'player' || status !== 'running'
    ? nothing
    : html`<p class="simul-delayed" data-testid="simul-delayed">${say('simul.delayed', { n: delay_s })}</p>`;
