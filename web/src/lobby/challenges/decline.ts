/** Buttons to decline an invitation: at once, or with a reason. */

import { html, type TemplateResult } from 'lit-html';
import { DECLINE_REASONS, type DeclineReason } from '../../net/protocol';
import { say } from '../../words/words';

type Told = Exclude<DeclineReason, 'generic'>;

const REASONS = DECLINE_REASONS.filter((reason): reason is Told => reason !== 'generic');

/** `name`: of the sender. */
export const declineForm = (name: string, decline: (reason: DeclineReason) => void): TemplateResult =>
  html`<button type="button" data-testid="decline" aria-label=${say('inbox.decline', { name })} @click=${() => decline('generic')}>
      ${say('challenge.decline')}
    </button>
    <details class="declining">
      <summary data-testid="decline-why" aria-label=${say('decline.why.name', { name })}>${say('decline.why')}</summary>
      <div class="buttons">
        ${REASONS.map(
          (reason) =>
            html`<button type="button" data-testid="decline-${reason}" @click=${() => decline(reason)}>${say(`decline.${reason}`)}</button>`,
        )}
      </div>
    </details>`;
