/** Open invitations: those to the person are shown until they are answered or gone, his own are listed in the lobby. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { controlsOf } from '../lobby/controls';
import type { Challenge, Incoming } from '../protocol';
import { say } from '../words';

export class Invitations {
  private open: readonly Challenge[] = [];

  hear(message: Incoming): void {
    if (message.t === 'challenge') {
      const told = message as unknown as Challenge;
      const same = (known: Challenge) => known.challenge === told.challenge;
      // In its place, when it is told again.
      this.open = this.open.some(same) ? this.open.map((known) => (same(known) ? told : known)) : [...this.open, told];
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

  /** Those that the person with this id has sent. */
  by(me: string | undefined): Challenge[] {
    return this.open.filter(({ from }) => from.id === me);
  }

  /** Those to the person with this id, but for the one whose page is open. */
  draw(path: string, me: string | undefined): TemplateResult | typeof nothing {
    const shown = this.open.filter(({ challenge, from }) => from.id !== me && path !== `/challenge/${challenge}`);
    if (shown.length === 0) return nothing;
    return html`<div class="strip" role="status" data-testid="invitations">
      ${shown.map(
        (invitation) =>
          html`<a class="own-game" href="/challenge/${invitation.challenge}" data-page data-mine="true">
            <span>${say('strip.invites', { name: invitation.from.name, tempo: controlsOf(invitation, false) })}</span>
          </a>`,
      )}
    </div>`;
  }
}
