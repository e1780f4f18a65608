/** Invitations to the person: a bell with a counter in the header of every page, which opens the list. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { invitationText, speedOfBoth } from '../lobby/challenges/controls';
import { declineForm } from '../lobby/challenges/decline';
import type { GameRequests } from '../lobby/waiting/game-requests';
import type { Challenge, Outgoing } from '../net/protocol';
import type { AppServices } from '../session/services';
import type { Invitations } from '../state/invitations';
import { delayText } from '../time/delay';
import { icon } from '../ui/icons';
import { placeMenu } from '../ui/popover';
import { variantAt } from '../variants/chess960';
import { rulesText } from '../variants/rules-text';
import { nameOf, say, SIDES } from '../words/words';

/** What the inbox needs of the application. */
export interface InboxServices extends Pick<AppServices, 'changed' | 'socket'> {
  readonly gameRequests: GameRequests;
  readonly invitations: Invitations;
  /** The invitation with this id was answered here. */
  forget(challenge: string): void;
  /** Drop the toast that links to `href`. */
  dropToast(href: string): void;
  /** Whether a toast has told of what is at `href`. */
  hasTold(href: string): boolean;
}

export class Inbox {
  constructor(private readonly app: InboxServices) {}

  /** All but the one whose page is open. */
  draw(path: string): TemplateResult {
    const shown = this.shown(path);
    const [first] = shown;
    // A toast is announced itself.
    const untold = shown.filter(({ challenge }) => !this.app.hasTold(`/challenge/${challenge}`));
    const words = untold.length === 1 ? invitationText(untold[0]!) : say('inbox.more', { n: untold.length });
    return html`<button
        class="plain bell"
        popovertarget="inbox-list"
        aria-label=${say('inbox.name', { n: shown.length })}
        data-testid="inbox"
      >
        ${icon('bell')}${first === undefined ? nothing : html`<b class="badge" aria-hidden="true">${shown.length}</b>`}
      </button>
      <section
        id="inbox-list"
        class="popup"
        popover
        aria-label=${say('inbox.title')}
        data-testid="invitations"
        @toggle=${(event: ToggleEvent) => this.toggled(event, path)}
      >
        ${first === undefined
          ? html`<p class="empty">${say('inbox.empty')}</p>`
          : html`<ul class="seeks">
              ${repeat(
                shown,
                ({ challenge }) => challenge,
                (invitation) => this.row(invitation),
              )}
            </ul>`}
      </section>
      <span class="unseen" role="status" data-testid="inbox-status">${untold.length === 0 ? nothing : words}</span>`;
  }

  private toggled({ newState, target }: ToggleEvent, path: string): void {
    if (newState !== 'open') return;
    placeMenu(target as HTMLElement);
    // The list tells of them now.
    for (const { challenge } of this.shown(path)) this.app.dropToast(`/challenge/${challenge}`);
  }

  private shown(path: string): Challenge[] {
    const { invitations, socket } = this.app;
    return invitations.to(socket.user?.id).filter(({ challenge }) => path !== `/challenge/${challenge}`);
  }

  private row(card: Challenge): TemplateResult {
    const { challenge, from, variant, color, rated, fen, position } = card;
    const about = [
      this.app.invitations.isAway(challenge) ? say('inbox.away') : '',
      nameOf('speed', speedOfBoth(card)),
      variantAt(variant, position),
      rulesText(card),
      fen === null ? '' : say('inbox.position'),
      say(rated ? 'seeks.rated' : 'seeks.casual'),
      delayText(card),
      color === 'random' ? '' : say('inbox.says', { side: SIDES[color] }),
    ];
    return html`<li data-challenge=${challenge}>
      <span class="seek-who"
        ><a href="/challenge/${challenge}" data-page>${invitationText(card)}</a
        ><small data-testid="inbox-about">${about.filter(Boolean).join(' · ')}</small></span
      >
      <span class="inbox-do">
        ${rated && this.app.socket.user?.kind === 'guest'
          ? html`<a class="button main" href="/challenge/${challenge}" data-page>${say('inbox.look')}</a>`
          : html`<button
              class="main"
              data-testid="inbox-accept"
              aria-label=${say('inbox.play', { name: from.name })}
              @click=${() => this.answer(challenge, { t: 'challenge.accept', challenge })}
            >
              ${say('challenge.accept')}
            </button>`}
        ${declineForm(from.name, (reason) => this.answer(challenge, { t: 'challenge.decline', challenge, reason }))}
      </span>
    </li>`;
  }

  private async answer(challenge: string, message: Outgoing): Promise<void> {
    // Refused: it was closed, or is asked for again on its page.
    if ((await this.app.gameRequests.answer(message)) === 'open') return;
    this.app.forget(challenge);
    if (this.shown(location.pathname).length === 0) document.getElementById('inbox-list')?.hidePopover();
  }
}
