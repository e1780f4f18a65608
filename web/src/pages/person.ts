/** A person: how the games went, and the games themselves, newest first. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App, Page } from '../app';
import { describe } from '../clock';
import { endOf } from '../game/ending';
import type { Color, GamesPage, ListedGame, Profile, User } from '../protocol';
import { Wanted } from '../wanted';
import { nameOf, say, variantName } from '../words';
import { message } from './message';

const A_PAGE = 20;
const OUTCOMES = { '1-0': { w: 'won', b: 'lost' }, '0-1': { w: 'lost', b: 'won' } } as const;

export class PersonPage implements Page {
  private readonly profile: Wanted<Profile>;
  /** Page by page; the last may be on its way. */
  private readonly games: Wanted<GamesPage>[] = [];

  constructor(
    private readonly app: App,
    private readonly name: string,
  ) {
    document.title = say('app.title', { page: name });
    this.profile = new Wanted(`/api/v1/users/${encodeURIComponent(name)}`, () => app.changed());
    this.more('');
  }

  close(): void {
    this.profile.close();
    for (const page of this.games) page.close();
  }

  draw(root: HTMLElement): void {
    const { profile } = this;
    if (profile.state === 'missing') render(message(say('person.none'), say('person.none.text'), nobodyWays()), root);
    else render(profile.got === null ? profile.drawPage() : this.card(profile.got), root);
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
    const games = this.games.flatMap(({ got }) => got?.games ?? []);
    const last = this.games.at(-1)!;
    if (games.length === 0) {
      if (last.got === null) return last.draw();
      return self
        ? html`<p class="empty">${say('person.empty.self')}</p>
            <a class="button main" href="/" data-page>${say('to.lobby')}</a>`
        : html`<p class="empty">${say('person.empty', { name: user.name })}</p>`;
    }
    return html`<ul class="rows" data-testid="games">
        ${games.map((game) => html`<li>${this.row(game, user)}</li>`)}
      </ul>
      ${last.got === null ? last.draw() : this.older(last.got.next)}`;
  }

  private older(next: string | null): TemplateResult | typeof nothing {
    if (next === null) return nothing;
    const more = () => this.more(`&before=${encodeURIComponent(next)}`);
    return html`<div class="buttons"><button data-testid="more" @click=${more}>${say('person.more')}</button></div>`;
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

  /** One more page of the list, from `before` on. */
  private more(before: string): void {
    const address = `/api/v1/games?user=${encodeURIComponent(this.name)}&limit=${A_PAGE}${before}`;
    this.games.push(new Wanted(address, () => this.app.changed()));
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
