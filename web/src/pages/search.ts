/** Search for a person by the start of a name, or for a game by its link. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { SearchResult } from '../net/protocol';
import { emptyList } from '../ui/message';
import type { Page } from '../ui/page';
import { Resource } from '../ui/resource';
import { nameOf, say } from '../words/words';

export class SearchPage implements Page {
  private readonly q = new URLSearchParams(location.search).get('q')?.trim().slice(0, 64) ?? '';
  private readonly found: Resource<SearchResult> | null;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('search.title') });
    const address = `/api/v1/search?q=${encodeURIComponent(this.q)}`;
    this.found = this.q ? new Resource(address, () => this.app.changed()) : null;
  }

  close(): void {
    this.found?.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="column">
        <h1>${say('search.title')}</h1>
        <form class="search" role="search" @submit=${(event: SubmitEvent) => this.submit(event)}>
          <label for="q">${say('search.label')}</label>
          <div class="link">
            <input id="q" name="q" type="search" maxlength="64" autocomplete="off" .value=${this.q} data-testid="q" />
            <button class="main" data-testid="go">${say('search.go')}</button>
          </div>
        </form>
        <div data-testid="found">${this.results()}</div>
      </div>`,
      root,
    );
  }

  private results(): TemplateResult {
    const { q } = this;
    const players = html`<a class="button" href="/players" data-page>${say('players.online')}</a>`;
    if (this.found === null) return emptyList(say('search.hint'), players);
    const none = emptyList(say('search.none', { q }), players);
    const found = this.found.value;
    if (this.found.state === 'missing') return none;
    if (found === null) return this.found.draw();
    if (found.users.length === 0 && found.game === null) return none;
    return html`${found.game === null
        ? nothing
        : html`<p><a class="button main" href="/game/${found.game}" data-page>${say('search.game', { g: found.game })}</a></p>`}
      ${found.users.length === 0
        ? nothing
        : html`<section class="card">
            <h2>${say('search.people')}</h2>
            <ul class="rows">
              ${found.users.map(
                (user) =>
                  html`<li>
                    <a class="row" href="/user/${encodeURIComponent(user.name)}" data-page
                      ><strong>${user.name}</strong><small>${nameOf('person', user.kind)}</small></a
                    >
                  </li>`,
              )}
            </ul>
          </section>`}`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const q = new FormData(event.target as HTMLFormElement).get('q');
    if (typeof q === 'string' && q.trim()) this.app.navigate(`/search?q=${encodeURIComponent(q.trim())}`);
  }
}
