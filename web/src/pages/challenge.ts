/** An invitation: the sender gets its link, everybody else can accept. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { controlsOf } from '../lobby/challenges/controls';
import { declineForm } from '../lobby/challenges/decline';
import { linkOf, offerLink } from '../lobby/challenges/link';
import { startBoard, startName } from '../lobby/challenges/start-board';
import type { ChallengeCard, DeclineReason, PersonalMessage } from '../net/protocol';
import { delayText } from '../time/delay';
import { authLink } from '../ui/login-links';
import { message as notice, toLobby } from '../ui/message';
import type { Page } from '../ui/page';
import { personText } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { startOf, variantAt } from '../variants/chess960';
import { turnIn } from '../variants/registry';
import { rulesText } from '../variants/rules-text';
import { moment } from '../words/dates';
import { say, SIDES } from '../words/words';

type Ending = 'accepted' | 'declined' | 'cancelled' | 'expired';

export class ChallengePage implements Page {
  private readonly resource: Resource<ChallengeCard>;
  /** The QR code is drawn by a chunk that only the sender of a link needs. */
  private qr: TemplateResult | null = null;

  constructor(
    private readonly app: App,
    private readonly challenge: string,
  ) {
    document.title = say('app.title', { page: say('challenge.title') });
    this.resource = new Resource(`/api/v1/challenges/${encodeURIComponent(challenge)}`, () => app.changed());
  }

  close(): void {
    // No subscription: `paired` is pushed to the person.
    this.resource.close();
  }

  onPush(message: PersonalMessage): void {
    if (message.t === 'challenge.gone' && message.challenge === this.challenge) void this.resource.load();
  }

  awaitsGame(): boolean {
    const card = this.resource.value;
    return card !== null && card.status === 'open' && card.from.id === this.app.socket.user?.id;
  }

  draw(root: HTMLElement): void {
    render(this.body(), root);
  }

  private body(): TemplateResult {
    const card = this.resource.value;
    if (this.resource.state === 'missing') return notice(say('challenge.none'), say('challenge.none.text'));
    if (card === null) return this.resource.drawPage();
    if (card.status !== 'open') return this.gone(card);
    const mine = card.from.id === this.app.socket.user?.id;
    return html`<section class="card narrow">${mine ? this.waiting(card) : this.question(card)}</section>`;
  }

  private waiting(card: ChallengeCard): TemplateResult {
    const buttons = html`<div class="buttons">
      <button data-testid="cancel" @click=${() => this.answer('challenge.cancel', '/')}>${say('challenge.withdraw')}</button>
    </div>`;
    if (card.to) {
      const name = personText(card.to);
      return html`<h1>${say('challenge.sent-to', { name })}</h1>
        ${about(card, true, this.app.settings.now.touch)}
        <p>${say('challenge.waiting-for', { name })}</p>
        <p class="hint" data-testid="expires">${say('challenge.expires', { time: moment(card.expires) })}</p>
        ${buttons}`;
    }
    if (this.qr === null) void this.drawCode();
    return html`<h1>${say('challenge.send')}</h1>
      ${about(card, true, this.app.settings.now.touch)}
      <div class="link">
        <input type="text" readonly data-testid="link" aria-label=${say('challenge.link')} .value=${linkOf(this.challenge)} @focus=${select} />
        <button class="main" data-testid="copy" @click=${() => this.copy()}>${say('challenge.copy')}</button>
        ${'share' in navigator ? html`<button @click=${() => share(linkOf(this.challenge))}>${say('challenge.share')}</button>` : nothing}
      </div>
      <div class="qr-place">${this.qr}</div>
      <p>${say('challenge.waiting')}${card.rated ? ` ${say('challenge.waiting.rated')}` : nothing}</p>
      <p class="hint" data-testid="expires">${say('challenge.expires', { time: moment(card.expires) })}</p>
      ${buttons}`;
  }

  private question(card: ChallengeCard): TemplateResult {
    const { user } = this.app.socket;
    const named = card.to !== null && card.to.id === user?.id;
    if (card.rated && (user?.kind ?? 'guest') === 'guest') return this.forMembers(card, named);
    return html`<h1>${say('challenge.from', { name: personText(card.from) })}</h1>
      ${about(card, false, this.app.settings.now.touch)}
      <div class="buttons">
        <button class="main" data-testid="accept" @click=${() => this.answer('challenge.accept')}>${say('challenge.accept')}</button>
        ${named
          ? declineForm(card.from.name, (reason) => this.answer('challenge.decline', '/', { reason }))
          : html`<button data-testid="decline" @click=${() => this.declineLink()}>${say('challenge.decline')}</button>`}
      </div>`;
  }

  /** Nobody is named: the sender is not told, and others may accept. */
  private declineLink(): void {
    this.app.say(say('challenge.declined.link'));
    this.app.navigate('/');
  }

  /** Rated games are between members: log-in and sign-up lead back here. */
  private forMembers(card: ChallengeCard, named: boolean): TemplateResult {
    const here = location.pathname;
    return html`<h1>${say('challenge.from', { name: personText(card.from) })}</h1>
      ${about(card, false, this.app.settings.now.touch)}
      <p data-testid="members">${say('challenge.members')}</p>
      <div class="buttons">
        <a class="button main" href=${authLink('/signup', here)} data-page data-testid="signup">${say('signup.title')}</a>
        <a class="button" href=${authLink('/login', here)} data-page data-testid="login">${say('login.title')}</a>
        ${named ? declineForm(card.from.name, (reason) => this.answer('challenge.decline', '/', { reason })) : nothing}
      </div>`;
  }

  private gone(card: ChallengeCard): TemplateResult {
    const toGame = card.g
      ? html`<a class="button main" data-testid="watch" href="/game/${card.g}" data-page>${say('challenge.to-game')}</a>
          <a class="button" href="/" data-page>${say('to.lobby')}</a>`
      : toLobby();
    const { to, reason } = card;
    const why = to !== null && reason !== null && reason !== 'generic' ? say(`decline.${reason}`) : null;
    const text = why === null ? say(card.g ? 'challenge.is.text' : 'challenge.is.over') : say('declined.by', { name: to!.name, why });
    return notice(say(`challenge.is.${card.status as Ending}`), text, toGame);
  }

  private async drawCode(): Promise<void> {
    this.qr = html``;
    try {
      const { qrCode } = await import('../ui/qr');
      this.qr = qrCode(linkOf(this.challenge), say('challenge.qr'));
      this.app.changed();
    } catch {
      // The chunk could not be loaded: the link works without a QR code.
    }
  }

  private async copy(): Promise<void> {
    if (await offerLink(this.app, linkOf(this.challenge))) return;
    // Select it for the person to copy.
    document.querySelector<HTMLInputElement>('[data-testid=link]')?.select();
  }

  private async answer(
    t: 'challenge.accept' | 'challenge.decline' | 'challenge.cancel',
    then?: string,
    more: { reason?: DeclineReason } = {},
  ): Promise<void> {
    const answered = await this.app.gameRequests.answer({ t, challenge: this.challenge, ...more });
    if (answered === 'open') return;
    this.app.forget(this.challenge);
    if (answered === 'refused') return this.resource.load();
    if (t === 'challenge.cancel') this.app.say(say('sent.cancelled'));
    if (then !== undefined && location.pathname.startsWith('/challenge/')) this.app.navigate(then);
  }
}

/** `touch`: the person's setting for games by the Laws. */
function about(card: ChallengeCard, mine: boolean, touch: 'select' | 'hold'): TemplateResult {
  const side = card.color === 'random' ? null : SIDES[card.color];
  const who =
    side === null
      ? say('challenge.drawn')
      : mine
        ? say('challenge.you-play', { side })
        : say('challenge.they-play', { name: card.from.name, side });
  const terms = [controlsOf(card, mine), variantAt(card.variant, card.position), rulesText(card), say(card.rated ? 'seeks.rated' : 'seeks.casual'), delayText(card), who];
  return html`<p class="terms" data-testid="terms">${terms.filter(Boolean).join(' · ')}</p>
    ${card.laws ? html`<p class="hint" data-testid="laws-before">${say('laws.before')} ${say(`laws.before.${touch}`)}</p>` : nothing}
    ${start(card)}`;
}

/** The start position, if it is known. */
function start({ fen: given, variant, position }: ChallengeCard): TemplateResult | typeof nothing {
  const fen = given ?? (position === null ? null : startOf(position));
  if (fen === null) return nothing;
  const from = { fen, turn: turnIn(fen) };
  return html`${startBoard(from, variant, 'w', 'start')}
    <p class="hint">${startName(from)}</p>`;
}

const select = (event: Event) => (event.target as HTMLInputElement).select();

/** A cancelled share is no failure. */
const share = (url: string) => void navigator.share({ title: say('challenge.title'), url }).catch(() => undefined);
