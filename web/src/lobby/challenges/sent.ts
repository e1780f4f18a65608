/** Open invitations by the person, with link and withdrawal. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Challenge } from '../../net/protocol';
import type { AppServices } from '../../session/services';
import type { Invitations } from '../../state/invitations';
import { describe } from '../../time/control-text';
import { delayText } from '../../time/delay';
import { personText } from '../../ui/person-name';
import { variantAt } from '../../variants/chess960';
import { rulesText } from '../../variants/rules-text';
import { nameOf, say, SIDES } from '../../words/words';
import { controlsOf, speedOfBoth } from './controls';
import { linkOf, offerLink } from './link';

/** What it needs of the application. */
export interface SentServices extends AppServices {
  readonly invitations: Invitations;
  forget(challenge: string): void;
}

export class SentInvitations {
  constructor(private readonly app: SentServices) {}

  draw(): TemplateResult | typeof nothing {
    const sent = this.app.invitations.by(this.app.socket.user?.id);
    if (sent.length === 0) return nothing;
    return html`<section class="lobby-sent" aria-labelledby="sent-title">
      <h3 id="sent-title">${say('sent.title')}</h3>
      <ul class="seeks sent" data-testid="sent">
        ${repeat(
          sent,
          ({ challenge }) => challenge,
          (challenge) => this.row(challenge),
        )}
      </ul>
    </section>`;
  }

  private row(card: Challenge): TemplateResult {
    const { challenge, tc, opponent_tc, variant, position, color, to } = card;
    const controls = controlsOf(card, true);
    // Both controls if they differ, the sender's first, as in the line below.
    const tempo = [tc, ...(opponent_tc === null ? [] : [opponent_tc])].map(describe).join(' / ');
    const whom = to === null ? say('sent.link') : say('sent.to', { name: personText(to) });
    const about = [
      controls === tempo ? '' : controls,
      nameOf('speed', speedOfBoth(card)),
      variantAt(variant, position),
      rulesText(card),
      delayText(card),
      color === 'random' ? '' : say('challenge.you-play', { side: SIDES[color] }),
    ];
    return html`<li data-challenge=${challenge}>
      <span class="seek-tempo">${tempo}</span>
      <span class="seek-who"
        ><a href="/challenge/${challenge}" data-page>${whom}</a><small>${about.filter(Boolean).join(' · ')}</small></span
      >
      <span class="sent-do">
        ${to === null
          ? html`<button
              data-testid="sent-copy"
              aria-label=${say('sent.copy', { tempo })}
              @click=${() => this.copy(challenge)}
            >
              ${say('challenge.copy')}
            </button>`
          : nothing}
        <button
          data-testid="sent-cancel"
          aria-label=${say('sent.withdraw', { tempo })}
          @click=${() => this.cancel(challenge)}
        >
          ${say('challenge.withdraw')}
        </button>
      </span>
    </li>`;
  }

  private async copy(challenge: string): Promise<void> {
    // Without a clipboard, the invitation's page has the link to select.
    if (!(await offerLink(this.app, linkOf(challenge)))) this.app.navigate(`/challenge/${challenge}`);
  }

  private async cancel(challenge: string): Promise<void> {
    const done = await this.app.attempt(() => this.app.socket.change({ t: 'challenge.cancel', challenge }));
    if (done !== undefined) this.app.say(say('sent.cancelled'));
    // Withdrawn, or refused because somebody was faster: closed in either case.
    this.app.forget(challenge);
  }
}
