/** A list of games, newest first, in pages, with a filter. */

import '../styles/people.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { query, userAddress } from '../net/api';
import type { GamesPage, ListedGame, User } from '../net/protocol';
import { NameSuggestions } from '../ui/name-suggestions';
import { Resource } from '../ui/resource';
import { variantOptions } from '../variants/options';
import { scoreFormatsOf, VARIANTS, type ScoreFormat } from '../variants/registry';
import { nameOf, say, SIDES } from '../words/words';
import { entriesOf, gameRow, simulRow, type Entry } from './game-rows';
import { asked, FIELDS, filterOf, OPTIONS, PERSONAL, unfitOf, type FieldName, type Filter } from './games-filter';

const A_PAGE = 20;
/** Boards of a simul are one row: so many rows are loaded at once, with so many further pages at most, which are longer. */
const ROWS = 10;
const PAGES_AT_ONCE = 3;
const LONG_PAGE = 100;
/** Longest invalid value that is quoted. */
const MOST_LETTERS = 32;

/** Fields with a fixed choice, in the order of the form. */
const CHOSEN = ['color', 'result', 'speed', 'variant', 'rated'] as const;

export class GamesList {
  private readonly people: NameSuggestions;
  private filter: Filter;
  /** The invalid part of the address, until the filter changes. */
  private unfit: Filter;
  /** The last page may still be loading. */
  private pages: Resource<GamesPage>[] = [];
  /** The list before the filter changed, shown until the new one arrives. */
  private before: readonly ListedGame[] = [];
  /** How many pages more may be loaded without a request. */
  private unasked = PAGES_AT_ONCE;
  /** How many rows are to be shown, if there are as many. */
  private rows = ROWS;

  /** @param user whose games; null for everybody's, or those of the filter's user. */
  constructor(
    private readonly app: App,
    private readonly user: string | null,
  ) {
    this.people = new NameSuggestions('filter-people', () => app.changed());
    const values = new URLSearchParams(location.search);
    this.filter = filterOf(values);
    this.unfit = unfitOf(values);
    this.more(null);
  }

  close(): void {
    this.people.close();
    this.clear();
  }

  private clear(): void {
    for (const page of this.pages) page.close();
  }

  /** @param user whose list it is, if known. */
  draw(user: User | null, empty: TemplateResult): TemplateResult {
    return html`${this.form()} ${this.leftOut()} ${this.list(user, empty)}`;
  }

  /** Downloads of all games that match, one for each format; none without a person. */
  files(): { kind: ScoreFormat; address: string }[] {
    const { user, ...rest } = asked(this.filter, this.user);
    if (user === undefined) return [];
    const kinds = scoreFormatsOf(rest.variant === undefined ? VARIANTS : [rest.variant]);
    return kinds.map((kind) => ({ kind, address: userAddress(user, `/${kind}${query(rest)}`) }));
  }

  /** Links to the downloads. */
  drawFiles(): TemplateResult[] {
    return this.files().map(
      ({ kind, address }) =>
        html`<a class="button" href=${address} download data-testid=${kind} aria-label=${say(`person.${kind}`)}>${say(`do.${kind}`)}</a>`,
    );
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
        ${this.people.draw()} ${user === null ? this.text('user') : nothing} ${this.text('opponent', off('opponent'))}
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
      ${this.last().state === 'missing' ? html`<p class="fault" role="alert">${say('filter.nobody')}</p>` : nothing}
    </details>`;
  }

  private leftOut(): TemplateResult | typeof nothing {
    const unfit = Object.entries(this.unfit).map(([name, text]) => `${nameOf('filter', name)} “${text.slice(0, MOST_LETTERS)}”`);
    if (unfit.length === 0) return nothing;
    return html`<p class="fault" role="status" data-testid="unfit">${say('filter.unfit', { what: unfit.join(', ') })}</p>`;
  }

  private text(name: 'user' | 'opponent', disabled = false): TemplateResult {
    return html`<label
      >${nameOf('filter', name)}
      <input
        type="search"
        name=${name}
        list=${this.people.id}
        maxlength="32"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        ?disabled=${disabled}
        .value=${this.filter[name] ?? ''}
        @input=${(event: Event) => this.people.typed((event.target as HTMLInputElement).value)}
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
        ${name === 'variant'
          ? variantOptions(options, chosen)
          : options.map((value) => html`<option value=${value} ?selected=${value === chosen}>${optionName(name, value)}</option>`)}
      </select>
    </label>`;
  }

  private list(user: User | null, empty: TemplateResult): TemplateResult {
    const last = this.last();
    const isNew = this.pages.length === 1 && last.value === null;
    // An error replaces the old list; loading does not.
    const games = isNew && last.state === 'loading' ? this.before : this.pages.flatMap(({ value: got }) => got?.games ?? []);
    if (games.length === 0) {
      if (last.value === null) return last.draw();
      const used = FIELDS.some((name) => this.filter[name] !== undefined);
      if (!used) return empty;
      return html`<p class="empty" role="status">${say('filter.nothing')}</p>
        <a class="button" href=${location.pathname} data-page>${say('filter.all')}</a>`;
    }
    const entries = entriesOf(games);
    const isCut = (entry: Entry) => last.value?.next !== null && entry === entries.at(-1);
    return html`<p class="unseen" role="status">${say('archive.shown', { n: games.length })}</p>
      <ul class="rows" data-testid="games" aria-busy=${String(last.value === null)}>
        ${repeat(
          entries,
          (entry) => ('boards' in entry ? entry.simul : entry.g),
          (entry) =>
            html`<li>${'boards' in entry ? simulRow(entry.simul, entry.boards, user?.id ?? null, isCut(entry)) : gameRow(entry, user?.id ?? null)}</li>`,
        )}
      </ul>
      ${last.value === null ? last.draw() : this.older(last.value.next)}`;
  }

  private older(next: string | null): TemplateResult | typeof nothing {
    if (next === null) return nothing;
    return html`<div class="buttons">
      <button data-testid="more" @click=${() => this.askMore(next)}>${say('person.more')}</button>
    </div>`;
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
    this.unfit = {};
    this.app.changed();
    if (JSON.stringify(filter) === JSON.stringify(this.filter)) return;
    this.filter = filter;
    // The address tells what is shown; a filter adds no history entry.
    history.replaceState(history.state, '', location.pathname + query(filter));
    this.before = this.pages.flatMap(({ value: got }) => got?.games ?? []);
    this.clear();
    this.pages = [];
    this.rows = ROWS;
    this.unasked = PAGES_AT_ONCE;
    this.more(null);
  }

  private askMore(before: string): void {
    this.rows = this.entries().length + ROWS;
    this.unasked = PAGES_AT_ONCE;
    this.more(before);
  }

  /** Load another page, from `before` on. */
  private more(before: string | null, limit = A_PAGE): void {
    const params = { ...asked(this.filter, this.user), limit: String(limit), before };
    const page: Resource<GamesPage> = new Resource(`/api/v1/games${query(params)}`, () => this.arrived(page));
    this.pages.push(page);
    this.app.changed();
  }

  /** The boards of a large simul fill pages, and are one row. */
  private arrived(page: Resource<GamesPage>): void {
    const next = page.value?.next ?? null;
    if (page === this.last() && page.state === 'there' && next !== null && this.unasked > 0 && this.entries().length < this.rows) {
      this.unasked -= 1;
      this.more(next, LONG_PAGE);
    }
    this.app.changed();
  }

  private entries(): Entry[] {
    return entriesOf(this.pages.flatMap(({ value }) => value?.games ?? []));
  }

  private last(): Resource<GamesPage> {
    return this.pages.at(-1)!;
  }
}

function optionName(name: Exclude<(typeof CHOSEN)[number], 'variant'>, value: string): string {
  switch (name) {
    case 'color':
      return SIDES[value as keyof typeof SIDES];
    case 'rated':
      return say(value === '1' ? 'create.rated.yes' : 'create.casual');
    default:
      return nameOf(name, value);
  }
}
