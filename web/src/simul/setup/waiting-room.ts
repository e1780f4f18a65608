/** A simul before it starts: announcement, participants, and the actions of host and players. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { offerLink } from '../../lobby/challenges/link';
import type { Outgoing, SimulSnapshot } from '../../net/protocol';
import { NameSuggestions } from '../../ui/name-suggestions';
import { personLink } from '../../ui/person-name';
import { say, variantName } from '../../words/words';
import { announcementTerms, hostText } from '../text/announcement';
import { timeUntil } from '../text/time-until';
import { JoinForm } from './join';
import { Participants } from './participants';
import { fillWithRobots } from './robots';
import { SimulForm } from './simul-form';

const BEAT_MS = 1_000;

export class WaitingRoom {
  private readonly people: Participants;
  readonly join: JoinForm;
  private form: SimulForm | null = null;
  private readonly names: NameSuggestions;
  private sure = false;
  private readonly ticker: ReturnType<typeof setInterval>;

  constructor(
    private readonly app: App,
    private readonly simul: string,
    startAt: () => number | null,
  ) {
    this.people = new Participants(app, simul);
    this.join = new JoinForm(app, simul);
    this.names = new NameSuggestions('invite-people', () => app.changed());
    this.ticker = setInterval(() => startAt() !== null && app.changed(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.names.close();
    this.form?.close();
  }

  draw(now: SimulSnapshot): TemplateResult {
    const host = now.you === 'host';
    const cancelled = now.status === 'cancelled';
    return html`<div class="simul-room" data-testid="simul" data-status=${now.status} data-seq=${now.seq}>
      <section class="card simul-about">
        <h1>${now.name}</h1>
        <p class="about">${say('simul.by')} ${personLink(now.host)} · ${say('count.watching', { n: now.watchers })}</p>
        ${cancelled ? html`<p role="status">${say('simul.cancelled')}</p>` : this.when(now)} ${hostText(now)}
        ${cancelled ? nothing : host ? this.hosting(now) : this.join.draw(now)} ${announcementTerms(now)}
      </section>
      ${this.form !== null && host
        ? html`<section class="card simul-edit">
            <h2>${say('simul.edit')}</h2>
            ${this.form.draw(() => this.edited())}
          </section>`
        : html`<div class="simul-lists">${cancelled ? nothing : this.people.draw(now)} ${host && !cancelled ? [this.invite(now), fillWithRobots(this.app, now)] : nothing}</div>`}
    </div>`;
  }

  private when(now: SimulSnapshot): TemplateResult {
    if (now.start_at === null) return html`<p data-testid="simul-when">${say(now.you === 'host' ? 'simul.when.you' : 'simul.when.host')}</p>`;
    return html`<p data-testid="simul-when" class="simul-when">${timeUntil(now.start_at, this.app.socket.time.now())}</p>`;
  }

  private hosting(now: SimulSnapshot): TemplateResult {
    const nobody = now.players.length === 0;
    const edit = () => {
      this.form?.close();
      this.form = this.form === null ? new SimulForm(this.app, now, () => this.edited()) : null;
      this.app.changed();
    };
    return html`<div class="buttons">
        <button class="main" data-testid="simul-start" ?disabled=${nobody} @click=${() => this.ask({ t: 'simul.start' })}>
          ${nobody ? say('simul.start') : say('simul.start.with', { boards: say('count.boards', { n: now.players.length }) })}
        </button>
        <button data-testid="simul-edit" aria-expanded=${String(this.form !== null)} @click=${edit}>${say('simul.edit')}</button>
        <button class=${this.sure ? 'grave' : ''} data-testid="simul-cancel" @click=${() => this.cancel()}>
          ${this.sure ? say('do.sure', { what: say('simul.cancel') }) : say('simul.cancel')}
        </button>
      </div>
      ${nobody ? html`<p class="hint">${say('simul.start.nobody')}</p>` : nothing} ${this.link()}`;
  }

  /** Whoever has it can join, or watch. */
  private link(): TemplateResult {
    const url = `${location.origin}/simul/${this.simul}`;
    const copy = async () => {
      if (!(await offerLink(this.app, url))) this.app.say(say('do.share.link', { url }));
    };
    return html`<p>${say('simul.link')}</p>
      <div class="link">
        <input type="text" readonly data-testid="simul-link" aria-label=${say('simul.link')} .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
        <button data-testid="simul-copy" @click=${() => void copy()}>${say('challenge.copy')}</button>
      </div>`;
  }

  /** Invite by name; with the list of invited people if an invitation is required. */
  private invite(now: SimulSnapshot): TemplateResult {
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const user = String(new FormData(form).get('name') ?? '').trim();
      if (user !== '' && (await this.ask({ t: 'simul.invite', user })) !== undefined) form.reset();
    };
    return html`<section class="card" aria-labelledby="invite-title">
      <h2 id="invite-title">${say('simul.invite.title')}</h2>
      <form class="link" @submit=${submit}>
        <input
          type="text"
          name="name"
          maxlength="32"
          list=${this.names.id}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          data-testid="invite-name"
          aria-label=${say('simul.invite.name')}
          placeholder=${say('simul.invite.name')}
          @input=${(event: Event) => this.names.typed((event.target as HTMLInputElement).value)} />
        ${this.names.draw()}
        <button data-testid="simul-invite">${say('simul.invite')}</button>
      </form>
      ${now.invited && now.invited.length > 0
        ? html`<p class="hint">${say('simul.invited')}: ${now.invited.map((user, index) => html`${index > 0 ? ', ' : nothing}${personLink(user)}`)}</p>`
        : nothing}
      ${now.variants.length > 1 ? html`<p class="hint">${say('simul.variants.offered', { variants: now.variants.map(({ variant }) => variantName(variant)).join(', ') })}</p>` : nothing}
    </section>`;
  }

  private edited(): void {
    this.form?.close();
    this.form = null;
    this.app.changed();
  }

  private cancel(): void {
    if (this.sure) void this.ask({ t: 'simul.cancel' });
    this.sure = !this.sure;
    this.app.changed();
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul } = this;
    return app.attempt(() => app.change({ ...message, simul }));
  }
}
