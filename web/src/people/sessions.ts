/** The list of sessions, with a button to end each. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { call } from '../net/api';
import type { Session } from '../net/protocol';
import { moment } from '../words/dates';
import { say } from '../words/words';
import { agentName } from './agent';

const ADDRESS = '/api/v1/account/sessions';

export class Sessions {
  /** `changed`: a session was ended, reload the list. */
  constructor(
    private readonly app: App,
    private readonly changed: () => Promise<void>,
  ) {}

  draw(sessions: readonly Session[]): TemplateResult {
    return html`<section class="card">
      <h2>${say('account.sessions')}</h2>
      <ul class="rows" data-testid="sessions">
        ${repeat(
          sessions,
          ({ id }) => id,
          (session) => this.row(session),
        )}
      </ul>
      ${sessions.some(({ current }) => !current)
        ? html`<div class="buttons">
            <button data-testid="end-others" @click=${() => void this.end(ADDRESS)}>${say('account.sessions.others')}</button>
          </div>`
        : nothing}
    </section>`;
  }

  private row({ id, agent, current, created, used }: Session): TemplateResult {
    const name = agentName(agent);
    return html`<li class="row">
      <span class="row-main"
        ><strong>${name}</strong>
        <small>
          ${[
            current ? say('account.sessions.here') : say('account.used', { at: moment(used) }),
            say('account.sessions.since', { at: moment(created) }),
          ].join(' · ')}</small
        ></span
      >
      ${current
        ? nothing
        : html`<button
            aria-label=${say('account.sessions.end.long', { name, at: moment(created) })}
            @click=${() => void this.end(`${ADDRESS}/${id}`)}
          >
            ${say('account.sessions.end')}
          </button>`}
    </li>`;
  }

  private async end(address: string): Promise<void> {
    await this.app.attempt(() => call('DELETE', address));
    await this.changed();
  }
}
