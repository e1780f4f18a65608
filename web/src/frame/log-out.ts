/** Logging out. A person with running games must confirm: their clocks keep running. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { AppServices } from '../session/services';
import { say } from '../words/words';

export class LogOut {
  private asked = false;

  constructor(private readonly app: AppServices) {}

  /** Cancel the confirmation. */
  forget(): void {
    this.asked = false;
  }

  /** The button; `name` is its test id, `look` its class. */
  draw(name: string, look = ''): TemplateResult {
    const { length: n } = this.app.socket.games;
    const asked = this.asked && n > 0;
    return html`${asked ? html`<span class="log-out" role="alert">${say('logout.playing', { n })}</span>` : nothing}
      <button class=${look} data-testid=${name} @click=${(event: Event) => this.press(event, asked || n === 0)}>
        ${say(asked ? 'logout.anyway' : 'menu.logout')}
      </button>`;
  }

  private press(event: Event, sure: boolean): void {
    this.asked = !sure;
    if (sure) {
      void this.leave();
      return;
    }
    // Keeps the menu around it open.
    event.stopPropagation();
    this.app.changed();
  }

  private async leave(): Promise<void> {
    const { app } = this;
    const done = await app.attempt(async () => {
      await app.session.logOut();
      return true;
    });
    if (done) app.say(say('logout.done'));
  }
}
