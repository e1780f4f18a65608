/** The result of the whole simul over the large board, if it ended while the page was open. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulSnapshot } from '../../net/protocol';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { halves, pointsOf } from '../state/host-pace';
import { scoreText } from '../text/score-text';

export class SimulResult {
  private ran = false;
  private closed = false;

  constructor(private readonly changed: () => void) {}

  draw({ status, score, you, host }: SimulSnapshot): TemplateResult | typeof nothing {
    this.ran ||= status === 'running';
    if (status !== 'finished' || !this.ran || this.closed) return nothing;
    const { points, of } = pointsOf(score);
    const scored = { points: halves(points), of, name: personText(host) };
    return html`<div class="overlay" role="dialog" aria-label=${say('simul.result')} data-testid="simul-result">
      <button class="plain close" data-testid="simul-result-close" aria-label=${say('end.close')} @click=${() => this.close()}>×</button>
      <p class="outcome">${say('simul.result')}</p>
      ${of === 0
        ? html`<p>${say('end.none')}</p>`
        : html`<p>${you === 'host' ? say('simul.result.you', scored) : say('simul.result.host', scored)}</p>
            <p class="why">${scoreText(score)}</p>`}
    </div>`;
  }

  private close(): void {
    this.closed = true;
    this.changed();
  }
}
