/** Logging out. Who is in a game is asked twice: his clock goes on, and nobody plays for him. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { AppServices } from '../session/services';
import { say } from '../words/words';

export class LogOut {
  private asked = false;

  constructor(private readonly app: AppServices) {}

  /** He has thought better of it. */
  forget(): void {
    this.asked = false;
  }

  /** The button, by this name in tests; `look`: its class. */
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
    // The menu that it stands in stays open.
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
