/** A profile: the person, their ratings, results and games. */

import '../styles/people.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { levelOf } from '../lobby/waiting/robots';
import { call, userAddress } from '../net/api';
import type { Ban, Profile, Results, User, Versus } from '../net/protocol';
import { BlockedPeople } from '../people/blocked';
import { countryName } from '../people/countries';
import { flag } from '../people/flag';
import { resultsText } from '../people/game-rows';
import { GamesList } from '../people/games-list';
import { PersonSimuls } from '../people/person-simuls';
import { Ratings } from '../people/ratings';
import { ReportForm } from '../people/report-form';
import { setFollowed } from '../people/set-followed';
import { TimeoutForm } from '../people/timeout-form';
import { emptyList, message } from '../ui/message';
import type { Page } from '../ui/page';
import { personName } from '../ui/person-name';
import { Resource } from '../ui/resource';
import { day } from '../words/dates';
import { nameOf, say } from '../words/words';

export class PersonPage implements Page {
  private readonly profile: Resource<Profile>;
  private readonly games: GamesList;
  private readonly simuls: PersonSimuls;
  private readonly ratings: Ratings;
  private readonly blocked: BlockedPeople;
  private readonly report: ReportForm;
  private readonly timeout: TimeoutForm;
  private ban: Ban | null = null;
  private reporting: boolean;
  /** Results between the two, and the user they were loaded for. */
  private versus: Results | null = null;
  private versusOf: string | null = null;

  constructor(
    private readonly app: App,
    name: string,
  ) {
    const game = new URLSearchParams(location.search).get('report');
    this.reporting = game !== null;
    this.games = new GamesList(app, name);
    this.simuls = new PersonSimuls(app, name);
    this.ratings = new Ratings(app, name);
    this.blocked = new BlockedPeople(app);
    this.report = new ReportForm(app, game, () => this.setReporting(false));
    this.timeout = new TimeoutForm(app, 'timeout', (ban) => (this.ban = ban));
    document.title = say('app.title', { page: name });
    this.profile = new Resource(userAddress(name), () => app.changed());
  }

  close(): void {
    this.profile.close();
    this.games.close();
    this.simuls.close();
  }

  draw(root: HTMLElement): void {
    const { profile } = this;
    if (profile.state === 'missing') render(message(say('person.none'), say('person.none.text'), nobodyWays()), root);
    else render(profile.value === null ? profile.drawPage() : this.card(profile.value), root);
  }

  private card(profile: Profile): TemplateResult {
    const { user } = profile;
    const me = this.app.socket.user;
    const self = user.id === me?.id;
    if (!self) this.follow(me, user);
    return html`<div class="column" data-testid="person">
      <header class="person">
        <div>
          <h1>${personName(user)} ${flag(profile.country)}</h1>
          <p class="about" data-testid="about">${aboutOf(profile)}</p>
          ${profile.about ? html`<p class="person-text" data-testid="person-text">${profile.about}</p>` : nothing}
        </div>
        ${self ? this.own() : this.others(profile, me)}
      </header>
      ${this.reporting && !self && me ? this.report.draw(user) : nothing}
      ${!self && me && this.app.roles.moderates(me) ? this.moderation(profile) : nothing}
      ${this.simuls.draw()}
      ${user.kind === 'guest'
        ? nothing
        : html`<section class="card" aria-labelledby="ratings-title">
            <h2 id="ratings-title">${say('ratings.title')}</h2>
            ${this.ratings.draw(profile)}
          </section>`}
      <section class="card" aria-labelledby="games-title">
        <div class="titled">
          <h2 id="games-title">${say('person.games')}</h2>
          ${profile.games.total === 0 ? nothing : html`<div class="buttons">${this.games.drawFiles()}</div>`}
        </div>
        <p class="about" data-testid="results">${resultsText(profile.games)}</p>
        ${this.against(user)} ${this.games.draw(user, empty(user, self))}
      </section>
    </div>`;
  }

  private own(): TemplateResult {
    return html`<a class="button" href="/account?profile" data-page>${say('profile.edit')}</a>`;
  }

  private others({ user, closed, playing, followed }: Profile, me: User | null): TemplateResult {
    const blocks = me !== null && this.blocked.has(user.id);
    return html`<div class="buttons">
      ${playing ? html`<a class="button" href="/game/${playing}" data-page data-testid="watch">${say('person.watch')}</a>` : nothing}
      ${closed || blocks
        ? nothing
        : inviteLink(user)}
      ${me === null || closed || blocks || user.kind === 'guest'
        ? nothing
        : html`<button data-testid="follow" @click=${() => void this.setFollowed(user, !followed)}>
            ${say(followed ? 'follow.end' : 'follow.do')}
          </button>`}
      ${me === null || closed
        ? nothing
        : html`<button data-testid="block" @click=${() => void this.setBlocked(user, !blocks)}>
              ${blocks ? say('blocks.end') : say('blocks.do')}
            </button>
            <button data-testid="report-open" aria-expanded=${String(this.reporting)} @click=${() => this.setReporting(!this.reporting)}>
              ${say('report.do')}
            </button>`}
    </div>`;
  }

  private moderation({ user, about }: Profile): TemplateResult {
    return html`<details class="card" data-testid="moderation">
      <summary>${say('timeout.title', { name: user.name })}</summary>
      ${about
        ? html`<div class="buttons">
            <button data-testid="clear-profile" @click=${() => void this.clearText(user)}>${say('profile.clear')}</button>
          </div>`
        : nothing}
      ${this.timeout.draw(user, this.ban, true)}
    </details>`;
  }

  private against(user: User): TemplateResult | typeof nothing {
    const { versus } = this;
    if (versus === null || versus.total === 0) return nothing;
    return html`<p class="about" data-testid="versus">${say('person.versus', { name: user.name, games: resultsText(versus) })}</p>`;
  }

  private async setFollowed({ name }: User, on: boolean): Promise<void> {
    if (await setFollowed(this.app, name, on)) await this.profile.load();
  }

  /** A block ends a follow. */
  private async setBlocked(user: User, on: boolean): Promise<void> {
    await this.blocked.set(user, on);
    await this.profile.load();
  }

  private async clearText({ name }: User): Promise<void> {
    await this.app.attempt(() => call('DELETE', userAddress(name, '/profile')));
    await this.profile.load();
  }

  private setReporting(on: boolean): void {
    this.reporting = on;
    this.app.changed();
  }

  /** What depends on the viewer. */
  private follow(me: User | null, user: User): void {
    this.blocked.follow(me?.id ?? null);
    const of = me?.id ?? null;
    if (of === this.versusOf) return;
    // Follows and blocks are the viewer's.
    if (this.versusOf !== null) void this.profile.load();
    this.versusOf = of;
    this.versus = null;
    if (me !== null) void this.compare(me, user);
  }

  private async compare(me: User, user: User): Promise<void> {
    const address = userAddress(me.name, `/versus/${encodeURIComponent(user.name)}`);
    const told = await call<Versus>('GET', address).catch(() => null);
    if (told === null || this.versusOf !== me.id) return;
    this.versus = told.games;
    this.app.changed();
  }
}

function aboutOf({ user, created, closed, online, country }: Profile): TemplateResult {
  const since = say('person.since', { day: day(created) });
  if (closed) return html`${[nameOf('person', user.kind), say('person.closed')].join(' · ')}`;
  const from = country === null ? [] : [countryName(country)];
  return html`${[...from, nameOf('person', user.kind), since].join(' · ')} ·
    <span class="presence" data-online=${String(online)}>${say(online ? 'person.online' : 'person.offline')}</span>`;
}

/** The form of a game with them; a robot plays at once. */
function inviteLink(user: User): TemplateResult {
  const level = levelOf(user);
  const [query, label] = level === null ? [`to=${encodeURIComponent(user.name)}`, say('person.invite')] : [`robot=${level}`, say('robot.title')];
  return html`<a class="button main" data-testid="challenge-person" href="/?${query}" data-page>${label}</a>`;
}

function empty(user: User, self: boolean): TemplateResult {
  return self ? emptyList(say('person.empty.self')) : html`<p class="empty">${say('person.empty', { name: user.name })}</p>`;
}

const nobodyWays = (): TemplateResult =>
  html`<a class="button main" href="/search" data-page>${say('search.title')}</a>
    <a class="button" href="/" data-page>${say('to.lobby')}</a>`;
