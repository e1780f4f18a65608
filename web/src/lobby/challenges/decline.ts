/** Select and button to decline an invitation with a reason. */

import { html, type TemplateResult } from 'lit-html';
import { DECLINE_REASONS, type DeclineReason } from '../../net/protocol';
import { say } from '../../words/words';

/** The generic reason is first. */
const REASONS = ['generic', ...DECLINE_REASONS.filter((reason) => reason !== 'generic')] as DeclineReason[];

/** `name`: of the sender; `id`: of the field, unique on the page. */
export function declineForm(name: string, id: string, decline: (reason: DeclineReason) => void): TemplateResult {
  const chosen = (event: Event) => {
    const form = (event.currentTarget as HTMLElement).closest('.declining')!;
    decline(form.querySelector('select')!.value as DeclineReason);
  };
  return html`<span class="declining">
    <select id=${id} data-testid="decline-reason" aria-label=${say('decline.label.name', { name })}>
      ${REASONS.map((reason) => html`<option value=${reason}>${say(`decline.${reason}`)}</option>`)}
    </select>
    <button type="button" data-testid="decline" aria-label=${say('inbox.decline', { name })} @click=${chosen}>
      ${say('challenge.decline')}
    </button>
  </span>`;
}
