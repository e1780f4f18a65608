/** Invitations to the person by name, shown until they are answered or gone. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { describe } from '../clock';
import type { Challenge, Incoming } from '../protocol';
import { say } from '../words';

export class Invitations {
  private open: Challenge[] = [];

  hear(message: Incoming, me: string | undefined): void {
    if (message.t === 'challenge') {
      const invitation = message as unknown as Challenge;
      if (invitation.from.id === me) return;
      this.drop(invitation.challenge);
      this.open = [...this.open, invitation];
    } else if (message.t === 'challenge.gone') {
      this.drop(String(message.challenge));
    }
  }

  drop(challenge: string): void {
    this.open = this.open.filter((invitation) => invitation.challenge !== challenge);
  }

  /** Those that still wait are told again after this. */
  clear(): void {
    this.open = [];
  }

  /** All but the one whose page is open. */
  draw(path: string): TemplateResult | typeof nothing {
    const shown = this.open.filter(({ challenge }) => path !== `/challenge/${challenge}`);
    if (shown.length === 0) return nothing;
    return html`<div class="strip" role="status" data-testid="invitations">
      ${shown.map(
        ({ challenge, from, tc }) =>
          html`<a class="own-game" href="/challenge/${challenge}" data-page data-mine="true">
            <span>${say('strip.invites', { name: from.name, tempo: describe(tc) })}</span>
          </a>`,
      )}
    </div>`;
  }
}
