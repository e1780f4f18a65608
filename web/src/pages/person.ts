/** A person: how the games went, and the games themselves, newest first. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App, Page } from '../app';
import { describe } from '../clock';
import { endOf } from '../game/ending';
import type { Color, GamesPage, ListedGame, Profile, User } from '../protocol';
import { nameOf, say, variantName } from '../words';
import { message } from './message';

const A_PAGE = 20;
const OUTCOMES = { '1-0': { w: 'won', b: 'lost' }, '0-1': { w: 'lost', b: 'won' } } as const;

export class PersonPage implements Page {
  private profile: Profile | 'loading' | 'missing' = 'loading';
  private games: ListedGame[] = [];
  private next: string | null = null;
  private listed = false;

  constructor(
    private readonly app: App,
    private readonly name: string,
  ) {
    document.title = say('app.title', { page: name });
    void this.load();
    void this.more();
  }

  close(): void {
    // Nothing is held.
  }

  draw(root: HTMLElement): void {
    const { profile } = this;
    if (profile === 'loading') render(html`<p class="empty">${say('app.loading')}</p>`, root);
    else if (profile === 'missing') render(message(say('person.none'), say('person.none.text'), nobodyWays()), root);
    else render(this.card(profile), root);
  }

  private card({ user, games }: Profile): TemplateResult {
    const self = user.id === this.app.socket.user?.id;
    return html`<div class="column" data-testid="person">
      <header class="person">
        <div>
          <h1>${user.title ? html`<span class="title">${user.title}</span> ` : nothing}${user.name}</h1>
          <p class="about">
            ${[
              nameOf('person', user.kind),
              say('person.won', { n: games.won }),
              say('person.drawn', { n: games.drawn }),
              say('person.lost', { n: games.lost }),
            ].join(' · ')}
          </p>
        </div>
        ${self
          ? nothing
          : html`<a class="button" data-testid="invite" href="/?to=${encodeURIComponent(user.name)}" data-page
              >${say('person.invite')}</a
            >`}
      </header>
      <section class="card" aria-labelledby="games-title">
        <h2 id="games-title">${say('person.games')}</h2>
        ${this.list(user, self)}
      </section>
    </div>`;
  }

  private list(user: User, self: boolean): TemplateResult {
    if (!this.listed) return html`<p class="empty">${say('app.loading')}</p>`;
    if (this.games.length === 0) {
      return self
        ? html`<p class="empty">${say('person.empty.self')}</p>
            <a class="button main" href="/" data-page>${say('to.lobby')}</a>`
        : html`<p class="empty">${say('person.empty', { name: user.name })}</p>`;
    }
    return html`<ul class="rows" data-testid="games">
        ${this.games.map((game) => html`<li>${this.row(game, user)}</li>`)}
      </ul>
      ${this.next === null
        ? nothing
        : html`<div class="buttons"><button data-testid="more" @click=${() => this.more()}>${say('person.more')}</button></div>`}`;
  }

  private row(game: ListedGame, user: User): TemplateResult {
    const color: Color = game.players.b.user.id === user.id ? 'b' : 'w';
    const both = game.players.w.user.id === game.players.b.user.id;
    const outcome = both ? null : outcomeFor(game, color);
    const name = (side: Color) => game.players[side].user.name;
    return html`<a class="row" href="/game/${game.g}" data-page data-outcome=${outcome ?? ''}>
      <span class="row-main">
        <strong>${name('w')} – ${name('b')}</strong>
        <small
          >${[describe(game.tc), nameOf('speed', game.speed), game.variant === 'standard' ? '' : variantName(game.variant), when(game.created)]
            .filter(Boolean)
            .join(' · ')}</small
        >
      </span>
      <span class="row-end">
        <strong>${game.status === 'over' ? game.result : say('person.on')}</strong>
        <small>${[outcome === null ? '' : nameOf('result', outcome), endOf(game)].filter(Boolean).join(', ')}</small>
      </span>
    </a>`;
  }

  private async load(): Promise<void> {
    const response = await this.app.attempt(() => fetch(`/api/v1/users/${encodeURIComponent(this.name)}`));
    if (response) this.profile = response.ok ? ((await response.json()) as Profile) : 'missing';
    this.app.changed();
  }

  private async more(): Promise<void> {
    const before = this.next === null ? '' : `&before=${encodeURIComponent(this.next)}`;
    const address = `/api/v1/games?user=${encodeURIComponent(this.name)}&limit=${A_PAGE}${before}`;
    const response = await this.app.attempt(() => fetch(address));
    if (response?.ok) {
      const page = (await response.json()) as GamesPage;
      this.games = [...this.games, ...page.games];
      this.next = page.next;
    }
    this.listed = true;
    this.app.changed();
  }
}

const nobodyWays = (): TemplateResult =>
  html`<a class="button main" href="/search" data-page>${say('search.title')}</a>
    <a class="button" href="/" data-page>${say('to.lobby')}</a>`;

function outcomeFor({ result }: ListedGame, color: Color): 'won' | 'lost' | 'drawn' | null {
  if (result === '1/2-1/2') return 'drawn';
  return result === '*' ? null : OUTCOMES[result][color];
}

const when = (created: number): string => new Date(created).toLocaleDateString(undefined, { dateStyle: 'medium' });
