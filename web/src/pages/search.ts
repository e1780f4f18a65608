/** Search for a person by the start of a name, or for a game by its link. Results come while one types. */

import '../styles/people.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { SearchResult } from '../net/protocol';
import { flag } from '../people/flag';
import { focusField } from '../ui/first-field';
import { emptyList } from '../ui/message';
import type { Page } from '../ui/page';
import { personName, personPath } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { nameOf, say } from '../words/words';

const LONGEST = 64;
/** Pause in typing after which the search begins. */
const PAUSE_MS = 250;

interface Search {
  q: string;
  result: Resource<SearchResult>;
}

type Found = SearchResult['users'][number];

export class SearchPage implements Page {
  private readonly first = new URLSearchParams(location.search).get('q')?.trim().slice(0, LONGEST) ?? '';
  /** Shown until the next one is answered. */
  private shown: Search | null = null;
  private next: Search | null = null;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private isNew = true;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('search.title') });
    this.find(this.first);
  }

  close(): void {
    clearTimeout(this.pause);
    this.next?.result.close();
    this.shown?.result.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="column">
        <h1>${say('search.title')}</h1>
        <form class="search" role="search" @submit=${(event: SubmitEvent) => this.submit(event)}>
          <label for="q">${say('search.label')}</label>
          <div class="link">
            <input
              id="q"
              name="q"
              type="search"
              maxlength=${LONGEST}
              autocomplete="off"
              autocapitalize="off"
              spellcheck="false"
              value=${this.first}
              data-testid="q"
              @input=${(event: Event) => this.typed((event.target as HTMLInputElement).value)}
            />
            <button class="main" data-testid="go">${say('search.go')}</button>
          </div>
        </form>
        <div data-testid="found">${this.results()}</div>
      </div>`,
      root,
    );
    if (this.isNew) focusField(root.querySelector('#q'));
    this.isNew = false;
  }

  private results(): TemplateResult {
    const players = html`<a class="button" href="/players" data-page>${say('players.online')}</a>`;
    if (this.shown === null) return emptyList(say('search.hint'), players);
    const { q, result } = this.shown;
    const none = emptyList(say('search.none', { q }), players);
    const found = result.value;
    if (result.state === 'missing') return none;
    if (found === null) return result.draw();
    if (found.users.length === 0 && found.game === null) return none;
    return html`${found.game === null
        ? nothing
        : html`<p><a class="button main" href="/game/${found.game}" data-page>${say('search.game', { g: found.game })}</a></p>`}
      ${found.users.length === 0
        ? nothing
        : html`<section class="card">
            <h2>${say('search.people')}</h2>
            <ul class="rows">
              ${found.users.map((user) => html`<li>${row(user)}</li>`)}
            </ul>
          </section>`}`;
  }

  private typed(text: string): void {
    clearTimeout(this.pause);
    const q = text.trim();
    if (q !== (this.next ?? this.shown)?.q) this.pause = setTimeout(() => this.find(q), PAUSE_MS);
  }

  private find(q: string): void {
    clearTimeout(this.pause);
    this.next?.result.close();
    this.next = null;
    if (q === '') {
      this.shown?.result.close();
      this.shown = null;
      return this.app.changed();
    }
    const search = { q, result: new Resource<SearchResult>(`/api/v1/search?q=${encodeURIComponent(q)}`, () => this.answered(search)) };
    if (this.shown === null) this.shown = search;
    else this.next = search;
  }

  private answered(search: Search): void {
    if (search === this.next) {
      this.shown?.result.close();
      this.shown = search;
      this.next = null;
    }
    this.app.changed();
  }

  /** The same text is searched for again: somebody may have come meanwhile. */
  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const q = new FormData(event.target as HTMLFormElement).get('q');
    if (typeof q !== 'string' || !q.trim()) return;
    this.find(q.trim());
    this.app.pushAddress(`/search?q=${encodeURIComponent(q.trim())}`);
  }
}

/** An older server does not say who is online. */
function row(user: Found): TemplateResult {
  const online = user.online === undefined ? [] : [say(user.online ? 'person.online' : 'person.offline')];
  return html`<a class="row" href=${personPath(user.name)} data-page
    ><span class="row-main"
      ><strong class="presence" data-online=${String(user.online ?? false)}>${personName(user)}</strong> ${flag(user.country)}
      <small>${[nameOf('person', user.kind), ...online].join(' · ')}</small></span
    ></a
  >`;
}
