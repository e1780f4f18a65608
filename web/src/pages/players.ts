/** Players: those one follows, and who is online. */

import '../styles/people.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import type { Follows, Online, OnlineUser, User, UserStatus } from '../net/protocol';
import { flag } from '../people/flag';
import { FOLLOWS, setFollowed } from '../people/set-followed';
import { authLink } from '../ui/login-links';
import { emptyList } from '../ui/message';
import type { Page } from '../ui/page';
import { personLink } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { say } from '../words/words';

/** As often as the server updates the list. */
const EVERY_MS = 10_000;

export class PlayersPage implements Page {
  private readonly online: Resource<Online>;
  private follows: Resource<Follows> | null = null;
  /** The user whose follows these are. */
  private of: string | null = null;
  private readonly ticker: ReturnType<typeof setInterval>;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('players.title') });
    this.online = new Resource('/api/v1/online', () => app.changed());
    this.ticker = setInterval(() => document.hidden || this.load(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.online.close();
    this.follows?.close();
  }

  draw(root: HTMLElement): void {
    this.keep(this.app.socket.user?.id ?? null);
    render(
      html`<div class="column players" data-testid="players">
        <h1>${say('players.title')}</h1>
        <section class="card" aria-labelledby="follows-title">
          <h2 id="follows-title" tabindex="-1">${say('follow.title')}</h2>
          ${this.follows === null ? stranger() : this.follows.value === null ? this.follows.draw() : this.followed(this.follows.value)}
        </section>
        <section class="card" aria-labelledby="online-title">
          <h2 id="online-title">${say('players.online')}</h2>
          ${this.online.value === null ? this.online.draw() : this.present(this.online.value)}
        </section>
      </div>`,
      root,
    );
  }

  /** What belongs to the user. */
  private keep(me: string | null): void {
    if (me === this.of) return;
    this.of = me;
    this.follows?.close();
    this.follows = me === null ? null : new Resource<Follows>(FOLLOWS, () => this.app.changed());
  }

  private load(): void {
    void this.online.load();
    void this.follows?.load();
  }

  private followed({ follows }: Follows): TemplateResult {
    if (follows.length === 0) {
      return emptyList(
        say('follow.empty'),
        html`<a class="button" href="/search" data-page>${say('follow.find')}</a>
          <a class="button" href="/leaders" data-page>${say('leaders.title')}</a>`,
      );
    }
    return html`<ul class="rows" data-testid="follows">
      ${repeat(
        [...follows].sort((one, other) => rank(one) - rank(other)),
        ({ user }) => user.id,
        (one) => html`<li class="row" data-user=${one.user.name}>
          <span class="row-main">
            <span class="presence" data-online=${String(one.online)}>${personLink(one.user)}</span> ${flag(one.country)}
            <small>${say(one.playing ? 'players.playing' : one.online ? 'person.online' : 'person.offline')}</small>
          </span>
          <span class="buttons">
            ${ways(one.user, one.playing)}
            <button
              class="plain"
              aria-label=${say('follow.end.long', { name: one.user.name })}
              @click=${(event: Event) => void this.unfollow(event, one.user)}
            >
              ×
            </button>
          </span>
        </li>`,
      )}
    </ul>`;
  }

  private present({ users, members, guests }: Online): TemplateResult {
    const others = users.filter(({ user }) => user.id !== this.of);
    return html`<p class="about" data-testid="online-count">
        ${say('players.members', { n: members })} · ${say('players.guests', { n: guests })}
      </p>
      ${others.length === 0
        ? emptyList(say('players.empty'))
        : html`<ul class="rows" data-testid="online">
            ${repeat(
              others,
              ({ user }) => user.id,
              (one) => this.row(one),
            )}
          </ul>`}
      ${members > users.length ? html`<p class="hint">${say('players.more', { n: users.length })}</p>` : nothing}`;
  }

  private row({ user, rating, playing, country }: OnlineUser): TemplateResult {
    return html`<li class="row" data-user=${user.name}>
      <span class="row-main">
        <span class="presence" data-online="true">${personLink(user)}</span> ${flag(country)}${rating === null ? nothing : html` <span class="row-rating">${rating}</span>`}
        ${playing ? html`<small>${say('players.playing')}</small>` : nothing}
      </span>
      <span class="buttons">${ways(user, playing)}</span>
    </li>`;
  }

  /** The row goes, and the focus with it: to the next row, or to the title. */
  private async unfollow({ currentTarget }: Event, { name }: User): Promise<void> {
    const row = (currentTarget as HTMLElement).closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    if (!(await setFollowed(this.app, name, false))) return;
    await this.follows?.load();
    if (document.activeElement !== document.body) return;
    const place = next?.isConnected ? next.querySelector('button') : document.getElementById('follows-title');
    place?.focus();
  }
}

/** Those who play first, then those who are online. */
const rank = ({ online, playing }: UserStatus): number => (playing ? 0 : online ? 1 : 2);

const ways = ({ name }: User, playing: string | null): TemplateResult =>
  html`${playing
      ? html`<a class="button" href="/game/${playing}" data-page aria-label=${say('players.watch.long', { name })}>${say('players.watch')}</a>`
      : nothing}
    <a class="button" href="/?to=${encodeURIComponent(name)}" data-page aria-label=${say('players.challenge.long', { name })}
      >${say('players.challenge')}</a
    >`;

const stranger = (): TemplateResult =>
  emptyList(
    say('follow.stranger'),
    html`<a class="button main" href=${authLink('/login', '/players')} data-page>${say('login.title')}</a>
      <a class="button" href=${authLink('/signup', '/players')} data-page>${say('signup.title')}</a>`,
  );
