/** An open challenge: its maker waits here with the link, everybody else may accept. */

import { html, render, type TemplateResult } from 'lit-html';
import type { App, Page } from '../app';
import { ownChallenges } from './own-challenges';

export class ChallengePage implements Page {
  private readonly own: boolean;

  constructor(
    private readonly app: App,
    private readonly challenge: string,
  ) {
    this.own = ownChallenges.has(challenge);
    document.title = 'Invitation · Zeitnot';
  }

  close(): void {
    // Nothing is subscribed: `paired` comes to the person.
  }

  draw(root: HTMLElement): void {
    render(html`<section class="card narrow">${this.own ? this.waiting() : this.question()}</section>`, root);
  }

  private waiting(): TemplateResult {
    return html`<h1>Send this link</h1>
      <p>The game begins when somebody opens it and accepts. Keep this page open.</p>
      <div class="link">
        <input readonly data-testid="link" aria-label="Link" .value=${location.href} @focus=${select} />
        <button data-testid="copy" @click=${() => this.copy()}>Copy</button>
      </div>
      <div class="buttons">
        <button data-testid="cancel" @click=${() => this.answer('challenge.cancel', '/')}>Withdraw</button>
      </div>`;
  }

  private question(): TemplateResult {
    return html`<h1>You are invited to a game</h1>
      <div class="buttons">
        <button class="main" data-testid="accept" @click=${() => this.answer('challenge.accept')}>Play</button>
        <a class="button" href="/" data-page>To the lobby</a>
      </div>`;
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
    if (!reply) return;
    const path = typeof reply.g === 'string' ? `/game/${reply.g}` : then;
    if (path !== undefined && location.pathname.startsWith('/challenge/')) this.app.navigate(path);
  }
}

const select = (event: Event) => (event.target as HTMLInputElement).select();
