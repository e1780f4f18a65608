/** The games of an import, with a filter. The owner can rename, publish and delete it. */

import '../styles/imports.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { GamesFilter, type Asked } from '../imports/filter';
import { LONGEST_NAME } from '../imports/limits';
import { dated, known, named } from '../imports/tags';
import { call, query } from '../net/api';
import type { Import, ImportedRow, ImportPage } from '../net/protocol';
import { resultOf } from '../state/result-text';
import { Form, textOf } from '../ui/form';
import { message } from '../ui/message';
import type { Page } from '../ui/page';
import { personLink } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { DEFAULT_VARIANT } from '../variants/registry';
import { say, variantName } from '../words/words';

const A_PAGE = 50;
const CONFIRM_WITHIN_MS = 4_000;

export class ImportedPage implements Page {
  private readonly filter: GamesFilter;
  private readonly form: Form;
  /** The last page may still be loading. */
  private pages: Resource<ImportPage>[] = [];
  /** The list before the filter changed, shown until the new one arrives. */
  private before: readonly ImportedRow[] = [];
  private about: Import | null = null;
  /** Delete was pressed once. */
  private sure = false;
  private expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    this.filter = new GamesFilter((asked) => this.ask(asked));
    this.form = new Form('import-about', () => app.changed());
    document.title = say('app.title', { page: say('import.title') });
    this.more(null);
  }

  close(): void {
    clearTimeout(this.expiry);
    for (const page of this.pages) page.close();
  }

  draw(root: HTMLElement): void {
    const first = this.pages[0]!;
    const about = first.value?.import ?? this.about;
    if (about !== null && about !== this.about) {
      this.about = about;
      document.title = say('app.title', { page: about.name });
    }
    render(about === null || first.state === 'missing' ? this.absent(first) : this.body(about), root);
  }

  private absent(first: Resource<ImportPage>): TemplateResult {
    if (first.state !== 'missing') return first.drawPage();
    return message(say('import.none'), say('import.none.text'), html`<a class="button main" href="/import" data-page>${say('import.title')}</a>`);
  }

  private body(about: Import): TemplateResult {
    const mine = about.owner.id === this.app.socket.user?.id;
    return html`<div class="column" data-testid="imported">
      <div class="titled">
        <h1>${about.name}</h1>
        <a class="button" href="/api/v1/imports/${this.id}/pgn" download data-testid="pgn" aria-label=${say('import.pgn')}>${say('import.pgn.short')}</a>
      </div>
      <p class="about">
        ${say('import.games', { n: about.games })} ·
        ${mine ? html`<a href="/import" data-page>${say('import.all')}</a>` : sentenceOf(about)}${about.public
          ? html` · ${say('import.public')}`
          : nothing}
      </p>
      ${mine ? this.owners(about) : nothing}
      <section class="card" aria-label=${about.name}>${this.filter.draw()} ${this.list()}</section>
    </div>`;
  }

  private owners(about: Import): TemplateResult {
    const { form } = this;
    const fields = html`${form.text({ name: 'name', label: say('import.name'), value: about.name, most: LONGEST_NAME })}
      <label class="box"
        ><input type="checkbox" name="public" data-testid="import-public" .defaultChecked=${about.public} /> ${say('import.change.public')}</label
      >`;
    const remove = html`<button type="button" class="grave" data-testid="import-delete" @click=${() => this.remove(about)}>
      ${this.sure ? say('import.delete.sure', { n: about.games }) : say('import.delete')}
    </button>`;
    return html`<details class="card" data-testid="import-change">
      <summary>${say('import.change')}</summary>
      ${form.draw(fields, say('import.save'), (values) => this.save(values), { more: remove })}
    </details>`;
  }

  private list(): TemplateResult {
    const last = this.pages.at(-1)!;
    const isNew = this.pages.length === 1 && last.value === null;
    const games = isNew && last.state === 'loading' ? this.before : this.pages.flatMap(({ value: got }) => got?.games ?? []);
    if (games.length === 0) return last.value === null ? last.draw() : html`<p class="empty" role="status">${say('import.filter.none')}</p>`;
    return html`<p class="unseen" role="status">${say('archive.shown', { n: games.length })}</p>
      <ul class="rows" data-testid="imported-games" aria-busy=${String(last.value === null)}>
        ${repeat(
          games,
          ({ n }) => n,
          (game) => html`<li>${this.row(game)}</li>`,
        )}
      </ul>
      ${last.value === null
        ? last.draw()
        : last.value.next === null
          ? nothing
          : html`<div class="buttons"><button data-testid="more" @click=${() => this.more(last.value!.next)}>${say('import.more')}</button></div>`}`;
  }

  private row({ n, players, result, date, event, plies, variant }: ImportedRow): TemplateResult {
    const about = [known(event), dated(date), variant === DEFAULT_VARIANT ? '' : variantName(variant)];
    return html`<a class="row" href="/import/${this.id}/${n}" data-page data-n=${n}>
      <span class="row-main"
        ><strong>${say('import.row', { n, white: named(players.w), black: named(players.b) })}</strong
        ><small>${about.filter(Boolean).join(' · ')}</small></span
      >
      <span class="row-end"><strong>${resultOf({ result }) || '*'}</strong><small>${say('import.moves', { n: Math.ceil(plies / 2) })}</small></span>
    </a>`;
  }

  private ask(asked: Asked): void {
    this.before = this.pages.flatMap(({ value: got }) => got?.games ?? []);
    for (const page of this.pages) page.close();
    this.pages = [];
    // The address tells what is shown.
    history.replaceState(history.state, '', location.pathname + query({ ...asked }));
    this.more(null);
  }

  private more(after: number | null): void {
    const params = query({ ...this.filter.asked, after, limit: A_PAGE });
    this.pages.push(new Resource(`/api/v1/imports/${encodeURIComponent(this.id)}${params}`, () => this.app.changed()));
    this.app.changed();
  }

  private async save(values: FormData): Promise<void> {
    const body = { name: textOf(values, 'name').trim(), public: values.get('public') !== null };
    const now = await call<Import>('PUT', `/api/v1/imports/${encodeURIComponent(this.id)}`, body);
    const [first] = this.pages;
    if (first?.value) first.value = { ...first.value, import: now };
    this.app.say(say('import.saved'));
  }

  /** Needs a second press. */
  private remove({ name }: Import): void {
    clearTimeout(this.expiry);
    if (!this.sure) {
      this.sure = true;
      this.expiry = setTimeout(() => this.calm(), CONFIRM_WITHIN_MS);
      this.app.changed();
      return;
    }
    this.calm();
    void this.app.attempt(async () => {
      await call('DELETE', `/api/v1/imports/${encodeURIComponent(this.id)}`);
      this.app.say(say('import.deleted', { name }));
      if (location.pathname === `/import/${this.id}`) this.app.navigate('/import');
    });
  }

  private calm(): void {
    this.sure = false;
    this.app.changed();
  }
}

const sentenceOf = ({ owner }: Import): TemplateResult => html`${say('import.by')} ${personLink(owner)}`;
