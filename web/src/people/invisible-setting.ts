/** Whether the person is shown online: a setting of the account, not of the page. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import type { Account, Invisible } from '../net/protocol';
import { say } from '../words/words';

export class InvisibleSetting {
  /** Null until it is known. */
  private on: boolean | null = null;
  private failed = false;
  /** The user whose setting it is. */
  private of: string | null = null;

  constructor(private readonly app: App) {}

  /** Nothing for visitors, who are not shown anyway. */
  draw(): TemplateResult | typeof nothing {
    const me = this.app.socket.user?.id ?? null;
    if (me !== this.of) {
      this.of = me;
      this.on = null;
      this.failed = false;
      if (me !== null) void this.load(me);
    }
    if (me === null) return nothing;
    return html`<section class="card">
      <h2>${say('settings.privacy')}</h2>
      <label class="box"
        ><input
          type="checkbox"
          data-testid="set-invisible"
          aria-describedby="invisible-hint"
          .checked=${this.on ?? false}
          ?disabled=${this.on === null}
          @change=${(event: Event) => void this.set((event.target as HTMLInputElement).checked)}
        />
        ${say('invisible.set')}</label
      >
      <p class="hint" id="invisible-hint">${say('invisible.hint')}</p>
      ${this.failed
        ? html`<div class="waits" role="alert" data-testid="invisible-failed">
            <p>${say('account.failed')}</p>
            <button @click=${() => void this.load(me)}>${say('broken.again')}</button>
          </div>`
        : nothing}
    </section>`;
  }

  private async load(me: string): Promise<void> {
    const account = await call<Account>('GET', '/api/v1/account').catch(() => null);
    if (this.of !== me) return;
    this.failed = account === null;
    this.on = account?.invisible ?? null;
    this.app.changed();
  }

  private async set(on: boolean): Promise<void> {
    const was = this.on;
    this.on = on;
    this.app.changed();
    const told = await this.app.attempt(() => call<Invisible>('PUT', '/api/v1/account/invisible', { invisible: on }));
    this.on = told?.invisible ?? was;
    this.app.changed();
  }
}
