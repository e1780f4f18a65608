/** Games that are over or on, newest first, by the page: all of them or those that fit a filter. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { call, query, userAddress } from '../api';
import type { App } from '../app';
import { Refused, type GamesPage, type ListedGame, type User } from '../protocol';
import { nameOf, say, SIDES, sentence, variantName } from '../words';
import { gameRow } from './game-rows';
import { asked, FIELDS, filterOf, OPTIONS, PERSONAL, type FieldName, type Filter } from './games-filter';

const A_PAGE = 20;

/** In the order of the form, as far as they are chosen from a list. */
const CHOSEN = ['color', 'result', 'speed', 'variant', 'rated'] as const;

export class GamesList {
  private filter: Filter;
  private games: readonly ListedGame[] = [];
  private next: string | null = null;
  private state: 'loading' | 'listed' | 'failed' = 'loading';
  private fault: string | null = null;
  /** Only the answer to what was asked last counts. */
  private turn = 0;

  /** @param user whose games; null for everybody's, or whoever's the filter names. */
  constructor(
    private readonly app: App,
    private readonly user: string | null,
  ) {
    this.filter = filterOf(new URLSearchParams(location.search));
    void this.load(null);
  }

  /** @param user whose list it is, where that is known. */
  draw(user: User | null, empty: TemplateResult): TemplateResult {
    return html`${this.form()} ${this.list(user, empty)}`;
  }

  /** Where all games of the filter are to be had as a file; null where they are nobody's in particular. */
  pgn(): string | null {
    const { user, ...rest } = asked(this.filter, this.user);
    return user === undefined ? null : userAddress(user, `/pgn${query(rest)}`);
  }

  private form(): TemplateResult {
    const { filter, user } = this;
    const used = FIELDS.filter((name) => filter[name] !== undefined).length;
    const off = (name: FieldName) => PERSONAL.includes(name) && user === null && filter.user === undefined;
    return html`<details class="filter" ?open=${used > 0}>
      <summary>${used > 0 ? say('filter.title.used', { n: used }) : say('filter.title')}</summary>
      <form
        role="search"
        aria-label=${say('filter.title')}
        data-testid="filter"
        @submit=${(event: SubmitEvent) => this.submit(event)}
        @change=${(event: Event) => this.apply((event.currentTarget as HTMLFormElement))}
      >
        ${user === null ? this.text('user') : nothing} ${this.text('opponent', off('opponent'))}
        ${CHOSEN.map((name) => this.choice(name, off(name)))}
        ${(['since', 'until'] as const).map(
          (name) =>
            html`<label
              >${nameOf('filter', name)}
              <input type="date" name=${name} .value=${filter[name] ?? ''} />
            </label>`,
        )}
        <div class="buttons">
          <button class="main">${say('filter.go')}</button>
          ${used > 0
            ? html`<button type="button" data-testid="all" @click=${() => this.set({})}>${say('filter.all')}</button>`
            : nothing}
        </div>
      </form>
      ${this.fault === null ? nothing : html`<p class="fault" role="alert">${this.fault}</p>`}
    </details>`;
  }

  private text(name: 'user' | 'opponent', disabled = false): TemplateResult {
    return html`<label
      >${nameOf('filter', name)}
      <input
        type="search"
        name=${name}
        maxlength="32"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        ?disabled=${disabled}
        .value=${this.filter[name] ?? ''}
      />
    </label>`;
  }

  private choice(name: (typeof CHOSEN)[number], disabled: boolean): TemplateResult {
    const chosen = this.filter[name] ?? '';
    const options: readonly string[] = OPTIONS[name];
    return html`<label
      >${nameOf('filter', name)}
      <select name=${name} ?disabled=${disabled} .value=${chosen}>
        <option value="" ?selected=${chosen === ''}>${say('filter.any')}</option>
        ${options.map((value) => html`<option value=${value} ?selected=${value === chosen}>${optionName(name, value)}</option>`)}
      </select>
    </label>`;
  }

  private list(user: User | null, empty: TemplateResult): TemplateResult {
    const { games, state } = this;
    if (state === 'failed' && games.length === 0) {
      return html`<p class="empty">${say('archive.failed')}</p>
        <button @click=${() => void this.load(null)}>${say('broken.again')}</button>`;
    }
    if (state === 'loading' && games.length === 0) return html`<p class="empty" role="status">${say('app.loading')}</p>`;
    if (games.length === 0) {
      const used = FIELDS.some((name) => this.filter[name] !== undefined);
      return used ? html`<p class="empty" role="status">${say('filter.nothing')}</p>` : empty;
    }
    return html`<p class="unseen" role="status">${say('archive.shown', { n: games.length })}</p>
      <ul class="rows" data-testid="games" aria-busy=${String(state === 'loading')}>
        ${repeat(
          games,
          ({ g }) => g,
          (game) => html`<li>${gameRow(game, user?.id ?? null)}</li>`,
        )}
      </ul>
      ${this.next === null
        ? nothing
        : html`<div class="buttons">
            <button data-testid="more" aria-disabled=${String(state === 'loading')} @click=${() => this.more()}>
              ${say('person.more')}
            </button>
          </div>`}`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    this.apply(event.target as HTMLFormElement);
  }

  private apply(form: HTMLFormElement): void {
    const values = new FormData(form);
    if (this.user !== null) values.delete('user');
    this.set(filterOf(values));
  }

  private set(filter: Filter): void {
    if (JSON.stringify(filter) === JSON.stringify(this.filter)) return;
    this.filter = filter;
    // The address of the page is that of what it shows, without a step back for each field.
    history.replaceState(history.state, '', location.pathname + query(filter));
    void this.load(null);
  }

  private more(): void {
    if (this.state !== 'loading' && this.next !== null) void this.load(this.next);
  }

  private async load(before: string | null): Promise<void> {
    const turn = ++this.turn;
    this.state = 'loading';
    this.fault = null;
    this.app.changed();
    try {
      const params = { ...asked(this.filter, this.user), limit: String(A_PAGE), before };
      const page = await call<GamesPage>('GET', `/api/v1/games${query(params)}`);
      if (turn !== this.turn) return;
      this.games = before === null ? page.games : [...this.games, ...page.games];
      this.next = page.next;
      this.state = 'listed';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (turn !== this.turn) return;
      if (error.passes || error.code === 'offline') this.state = 'failed';
      else {
        // Nobody of that name, most likely: what was typed stays, and the list is empty.
        this.games = [];
        this.next = null;
        this.state = 'listed';
        this.fault = sentence(error.message);
      }
    }
    this.app.changed();
  }
}

function optionName(name: (typeof CHOSEN)[number], value: string): string {
  switch (name) {
    case 'color':
      return SIDES[value as keyof typeof SIDES];
    case 'variant':
      return variantName(value);
    case 'rated':
      return say(value === '1' ? 'create.rated.yes' : 'create.casual');
    default:
      return nameOf(name, value);
  }
}
