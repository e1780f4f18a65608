/** An open challenge: its maker waits here with the link, everybody else may accept. */

import { html, render, type TemplateResult } from 'lit-html';
import type { App, Page } from '../app';
import { describe } from '../clock';
import type { ChallengeCard } from '../protocol';
import { SIDES, variantName } from '../words';

export class ChallengePage implements Page {
  private card: ChallengeCard | 'loading' | 'missing' = 'loading';

  constructor(
    private readonly app: App,
    private readonly challenge: string,
  ) {
    document.title = 'Invitation · Zeitnot';
    void this.load();
  }

  close(): void {
    // Nothing is subscribed: `paired` comes to the person.
  }

  draw(root: HTMLElement): void {
    render(html`<section class="card narrow">${this.body()}</section>`, root);
  }

  private body(): TemplateResult {
    const { card } = this;
    if (card === 'loading') return html`<p class="empty">Loading…</p>`;
    if (card === 'missing') return this.gone('No such invitation', null);
    if (card.status !== 'open') return this.gone(`This invitation is ${card.status}`, card.g);
    return card.from.id === this.app.socket.user?.id ? this.waiting(card) : this.question(card);
  }

  private waiting(card: ChallengeCard): TemplateResult {
    return html`<h1>Send this link</h1>
      ${about(card, 'You play')}
      <p>The game begins when somebody opens the link and accepts. Keep this page open.</p>
      <div class="link">
        <input readonly data-testid="link" aria-label="Link" .value=${location.href} @focus=${select} />
        <button data-testid="copy" @click=${() => this.copy()}>Copy</button>
      </div>
      <div class="buttons">
        <button data-testid="cancel" @click=${() => this.answer('challenge.cancel', '/')}>Withdraw</button>
      </div>`;
  }

  private question(card: ChallengeCard): TemplateResult {
    return html`<h1>${card.from.name} invites you to a game</h1>
      ${about(card, `${card.from.name} plays`)}
      <div class="buttons">
        <button class="main" data-testid="accept" @click=${() => this.answer('challenge.accept')}>Play</button>
        <a class="button" href="/" data-page>To the lobby</a>
      </div>`;
  }

  private gone(title: string, g: string | null): TemplateResult {
    return html`<h1>${title}</h1>
      <div class="buttons">
        ${g === null ? '' : html`<a class="button main" data-testid="watch" href="/game/${g}" data-page>To the game</a>`}
        <a class="button" href="/" data-page>To the lobby</a>
      </div>`;
  }

  private async load(): Promise<void> {
    const response = await this.app.attempt(() => fetch(`/api/v1/challenges/${encodeURIComponent(this.challenge)}`));
    if (response) this.card = response.ok ? ((await response.json()) as ChallengeCard) : 'missing';
    this.app.changed();
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.app.say('Copied.');
    } catch {
      // No clipboard without a secure context or permission: leave it selected for the person to copy.
      document.querySelector<HTMLInputElement>('[data-testid=link]')?.select();
    }
  }

  private async answer(t: 'challenge.accept' | 'challenge.cancel', then?: string): Promise<void> {
    const reply = await this.app.attempt(async () => {
      await this.app.session.ensure();
      return this.app.socket.change({ t, challenge: this.challenge });
    });
    if (!reply) return this.load();
    const path = typeof reply.g === 'string' ? `/game/${reply.g}` : then;
    if (path !== undefined && location.pathname.startsWith('/challenge/')) this.app.navigate(path);
  }
}

const about = (card: ChallengeCard, who: string) =>
  html`<p data-testid="terms">
    ${describe(card.tc)} · ${variantName(card.variant)} ·
    ${card.color === 'random' ? 'colours are drawn' : `${who} ${SIDES[card.color]}`}
  </p>`;

const select = (event: Event) => (event.target as HTMLInputElement).select();
