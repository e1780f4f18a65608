/** Applicants and players of a simul. The host accepts, removes, and sets handicaps. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../../app';
import type { Color, Outgoing, Score, SimulPerson, SimulSnapshot } from '../../net/protocol';
import { personLink } from '../../ui/person-name';
import { ratingText } from '../../ui/rating';
import { say, SIDES, variantName } from '../../words/words';

/** Most people drawn at first; the rest is counted, and drawn on request. */
const MORE_SHOWN = 300;

const boardsOf = ({ wins, draws, losses, aborted, live }: Score) => wins + draws + losses + aborted + live;

export class Participants {
  /** The person whose handicap is edited. */
  private open: string | null = null;
  /** Most people drawn now. */
  private most = MORE_SHOWN;

  constructor(
    private readonly app: App,
    private readonly simul: string,
  ) {}

  draw(now: SimulSnapshot): TemplateResult {
    const host = now.you === 'host';
    const { applicants, players } = now;
    const room = now.max_boards - players.length;
    return html`<section class="card" aria-labelledby="applicants-title">
        <div class="titled">
          <h2 id="applicants-title">${say('simul.applicants', { n: applicants.length })}</h2>
          ${host && applicants.length > 0 ? this.acceptAll(room) : nothing}
        </div>
        ${applicants.length === 0 ? html`<p class="empty">${say('simul.applicants.none')}</p>` : this.list(now, applicants, 'applicants', host)}
      </section>
      <section class="card" aria-labelledby="players-title">
        <h2 id="players-title">${say('simul.players', { n: players.length, all: now.max_boards })}</h2>
        ${players.length === 0 ? html`<p class="empty">${say('simul.players.none')}</p>` : this.list(now, players, 'players', host)}
      </section>`;
  }

  /** Late applicants while the simul runs. */
  late(now: SimulSnapshot): TemplateResult | typeof nothing {
    if (now.applicants.length === 0) return nothing;
    return html`<section class="card simul-late" aria-labelledby="late-title">
      <div class="titled">
        <h2 id="late-title" tabindex="-1">${say('simul.applicants', { n: now.applicants.length })}</h2>
        ${now.you === 'host' ? this.acceptAll(now.max_boards - boardsOf(now.score)) : nothing}
      </div>
      ${this.list(now, now.applicants, 'applicants', now.you === 'host')}
    </section>`;
  }

  private acceptAll(room: number): TemplateResult {
    return html`<button class="main" data-testid="accept-all" ?disabled=${room <= 0} @click=${() => this.ask({ t: 'simul.accept_all' })}>
      ${say('simul.accept.all')}
    </button>`;
  }

  private list(now: SimulSnapshot, people: readonly SimulPerson[], kind: 'players' | 'applicants', host: boolean): TemplateResult {
    const shown = people.slice(0, this.most);
    return html`<ul class="simul-people" data-testid=${kind}>
        ${repeat(
          shown,
          ({ id }) => id,
          (person) => html`<li data-testid="simul-person">${this.person(now, person, kind, host)}</li>`,
        )}
      </ul>
      ${people.length > shown.length
        ? html`<p class="count">
            <button data-testid="people-more" @click=${() => this.more()}>${say('simul.people.more', { n: people.length - shown.length })}</button>
          </p>`
        : nothing}`;
  }

  private person(now: SimulSnapshot, person: SimulPerson, kind: 'players' | 'applicants', host: boolean): TemplateResult {
    const { name, rating, provisional } = person;
    const about = [
      now.variants.length > 1 ? variantName(person.variant ?? now.variant) : '',
      person.color ? say('simul.host.plays', { side: SIDES[person.color] }) : '',
      person.player_extra_s ? say('simul.extra.player', { n: person.player_extra_s }) : '',
      person.host_extra_s ? say('simul.extra.host', { n: person.host_extra_s }) : '',
      now.notes?.[person.id] ?? '',
    ].filter(Boolean);
    const ask = (t: string) => () => this.ask({ t, user: person.id });
    return html`<span class="simul-person"
        >${personLink(person)} ${rating === null ? nothing : html`<small>${ratingText(rating, provisional ?? false)}</small>`}
        ${about.length === 0 ? nothing : html`<small>${about.join(' · ')}</small>`}</span
      >
      ${host
        ? html`<span class="simul-do">
            ${kind === 'applicants'
              ? html`<button class="main" data-testid="accept" aria-label=${say('simul.accept.long', { name })} @click=${ask('simul.accept')}>${say('simul.accept')}</button>
                  <button data-testid="reject" aria-label=${say('simul.reject.long', { name })} @click=${ask('simul.reject')}>${say('simul.reject')}</button>`
              : html`<button data-testid="handicap" aria-expanded=${String(this.open === person.id)} aria-label=${say('simul.handicap.long', { name })} @click=${() => this.show(person.id)}>${say('simul.handicap')}</button>
                  <button data-testid="kick" aria-label=${say('simul.kick.long', { name })} @click=${ask('simul.kick')}>${say('simul.kick')}</button>`}
          </span>`
        : nothing}
      ${host && this.open === person.id ? this.handicap(now, person) : nothing}`;
  }

  private handicap(now: SimulSnapshot, person: SimulPerson): TemplateResult {
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const values = new FormData(event.target as HTMLFormElement);
      const n = (name: string) => Math.max(0, Math.round(Number(values.get(name)) || 0));
      const color = values.get('color') as Color | '';
      const done = await this.ask({
        t: 'simul.edit',
        user: person.id,
        player_extra_s: n('player'),
        host_extra_s: n('host'),
        // None: as announced.
        color: color || null,
        note: String(values.get('note') ?? '').trim(),
      });
      if (done !== undefined) this.show(person.id);
    };
    // Rated games have no handicap, and only clocks take time.
    const timed = !now.rated && now.tc !== null;
    const seconds = (name: string, label: string, value: number | undefined) =>
      html`<label>${label} <input type="number" name=${name} min="0" max="36000" step="1" .value=${String(value ?? 0)} /></label>`;
    return html`<form class="simul-handicap" @submit=${submit}>
      ${timed ? seconds('player', say('simul.handicap.player'), person.player_extra_s) : nothing}
      ${timed && now.mode === 'clock' ? seconds('host', say('simul.handicap.host'), person.host_extra_s) : nothing}
      <label
        >${say('simul.handicap.color')}
        <select name="color">
          <option value="">${say('simul.handicap.as-said')}</option>
          ${(['w', 'b'] as const).map((side) => html`<option value=${side} ?selected=${person.color === side}>${SIDES[side]}</option>`)}
        </select>
      </label>
      <label>${say('simul.handicap.note')} <input type="text" name="note" maxlength="200" .value=${now.notes?.[person.id] ?? ''} /></label>
      <button class="main" data-testid="handicap-save">${say('simul.save')}</button>
    </form>`;
  }

  private more(): void {
    this.most += MORE_SHOWN;
    this.app.changed();
  }

  private show(id: string): void {
    this.open = this.open === id ? null : id;
    this.app.changed();
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul } = this;
    return app.attempt(() => app.socket.change({ ...message, simul }));
  }
}
