/** Import of games as PGN, and the list of imports. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { ImportForm } from '../imports/form';
import { size } from '../imports/size';
import type { Import, Imports } from '../net/protocol';
import { authLink } from '../ui/login-links';
import type { Page } from '../ui/page';
import { Resource } from '../ui/resource';
import { moment } from '../words/dates';
import { say } from '../words/words';

export class ImportPage implements Page {
  private readonly form: ImportForm;
  private resource: Resource<Imports> | null = null;
  /** Whose imports are listed. */
  private of: string | null = null;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('import.title') });
    this.form = new ImportForm(app, () => void this.resource?.load());
  }

  close(): void {
    this.form.close();
    this.resource?.close();
  }

  draw(root: HTMLElement): void {
    const { state, user } = this.app.socket;
    const member = user !== null && user.kind !== 'guest' ? user.id : null;
    if (member !== this.of) {
      this.of = member;
      this.resource?.close();
      this.resource = member === null ? null : new Resource('/api/v1/imports', () => this.app.changed());
    }
    render(
      html`<div class="column" data-testid="imports">
        <h1>${say('import.title')}</h1>
        <p>${say('import.about')}</p>
        ${this.resource !== null
          ? html`${this.form.draw(this.resource.value?.left ?? null)} ${this.list(this.resource)}`
          : state === 'open' || user !== null
            ? forMembers()
            : html`<p class="empty">${say('app.loading')}</p>`}
      </div>`,
      root,
    );
  }

  private list(wanted: Resource<Imports>): TemplateResult {
    return html`<section class="card" aria-labelledby="brought">
      <h2 id="brought">${say('import.list')}</h2>
      ${wanted.value === null ? wanted.draw() : rows(wanted.value)}
    </section>`;
  }
}

function rows({ imports, left }: Imports): TemplateResult {
  return html`${imports.length === 0
      ? html`<p class="empty">${say('import.list.empty')}</p>`
      : html`<ul class="rows" data-testid="import-list">
          ${repeat(
            imports,
            (one) => one.import,
            (one) => html`<li>${row(one)}</li>`,
          )}
        </ul>`}
    <p class="hint">${say('import.room', { games: say('import.games', { n: left.games }), size: size(left.bytes) })}</p>`;
}

function row({ import: id, name, created, games, public: open }: Import): TemplateResult {
  return html`<a class="row" href="/import/${id}" data-page>
    <span class="row-main"><strong>${name}</strong><small>${moment(created)}</small></span>
    <span class="row-end">${say('import.games', { n: games })}${open ? html`<small>${say('import.public')}</small>` : nothing}</span>
  </a>`;
}

function forMembers(): TemplateResult {
  const here = location.pathname;
  return html`<section class="card" data-testid="import-members">
    <p>${say('import.members')}</p>
    <div class="buttons">
      <a class="button main" href=${authLink('/signup', here)} data-page>${say('signup.title')}</a>
      <a class="button" href=${authLink('/login', here)} data-page>${say('login.title')}</a>
    </div>
  </section>`;
}
