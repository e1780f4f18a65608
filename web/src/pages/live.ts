/** All running games, as small boards that follow them. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { browserStorage } from '../browser/storage';
import { query } from '../net/api';
import { authLink } from '../ui/login-links';
import { toPlay } from '../ui/message';
import type { Page } from '../ui/page';
import { VisibleItems } from '../ui/visible-items';
import { variantOptions } from '../variants/options';
import { isEmptyFilter, LIVE_OPTIONS, liveFilterOf, type LiveFilter } from '../watch/live-filter';
import { LiveList } from '../watch/live-list';
import { MiniGames } from '../watch/mini-games';
import { Tiles } from '../watch/tiles';
import { WallButton } from '../watch/wall-button';
import { StoredWall } from '../watch/wall-games';
import { nameOf, say } from '../words/words';

/** Most games followed at once, among those in view; the others stay as listed. */
const FOLLOWED = 40;
/** Distance from the end of the list, in pixels, at which more is loaded. */
const NEAR_END = '400px';

export class LivePage implements Page {
  private filter: LiveFilter;
  private readonly minis: MiniGames;
  private readonly list: LiveList;
  private readonly tiles: Tiles;
  private readonly wall: WallButton;
  private readonly visible = new VisibleItems(() => this.follow());
  private readonly end = document.createElement('div');
  private readonly ending = new IntersectionObserver(
    ([entry]) => entry?.isIntersecting && this.list.extend(),
    { rootMargin: NEAR_END },
  );
  private waits = false;
  /** The answer to the filter, for screen readers. */
  private told = '';

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('live.title') });
    this.filter = liveFilterOf(new URLSearchParams(location.search));
    this.minis = new MiniGames(app.socket, app.ownGames, (g) => this.news(g));
    this.list = new LiveList(this.filter, this.minis, () => this.listed());
    this.tiles = new Tiles(this.minis, app.socket.time, false);
    this.wall = new WallButton(app, new StoredWall(browserStorage('local')), () => this.listed());
    this.ending.observe(this.end);
  }

  close(): void {
    this.list.close();
    this.minis.close();
    this.tiles.close();
    this.visible.close();
    this.ending.disconnect();
  }

  draw(root: HTMLElement): void {
    // The person's own games are followed elsewhere until they are over.
    this.follow();
    render(
      html`<div class="live-page">
        <div class="titled">
          <h1>${say('live.title')}</h1>
          ${this.wall.way()}
        </div>
        ${this.form()} ${this.state()}
        <p class="unseen" role="status">${this.status()}</p>
        ${this.tiles.element} ${this.end}
        ${this.list.more
          ? html`<div class="buttons"><button data-testid="more" @click=${() => this.list.extend()}>${say('watch.more')}</button></div>`
          : nothing}
      </div>`,
      root,
    );
  }

  private form(): TemplateResult {
    const { filter } = this;
    const { user } = this.app.socket;
    return html`<form
      class="live-filter"
      role="search"
      aria-label=${say('watch.filter')}
      data-testid="live-filter"
      @submit=${(event: Event) => event.preventDefault()}
      @change=${(event: Event) => this.apply(new FormData(event.currentTarget as HTMLFormElement))}
    >
      ${this.choice('speed', (value) => nameOf('speed', value))} ${this.choice('variant')}
      ${this.choice('min_rating', (n) => say('watch.filter.rating.from', { n }))}
      <label class="check"><input type="checkbox" name="title" value="1" .checked=${filter.title === '1'} /> ${say('watch.filter.title')}</label>
      ${user === null && filter.friends === undefined
        ? nothing
        : html`<label class="check" title=${say('watch.filter.friends.why')}
            ><input type="checkbox" name="friends" value="1" .checked=${filter.friends === '1'} /> ${say('watch.filter.friends')}</label
          >`}
      ${isEmptyFilter(filter)
        ? nothing
        : html`<button type="button" class="plain" data-testid="all" @click=${() => this.set({})}>${say('watch.filter.all')}</button>`}
    </form>`;
  }

  private choice(name: 'speed' | 'variant' | 'min_rating', called: (value: string) => string = String): TemplateResult {
    const chosen = this.filter[name] ?? '';
    const offered: readonly string[] = LIVE_OPTIONS[name];
    const values = chosen === '' || offered.includes(chosen) ? offered : [...offered, chosen];
    return html`<label
      >${nameOf('watch.filter', name)}
      <select name=${name} .value=${chosen}>
        <option value="" ?selected=${chosen === ''}>${say('watch.filter.any')}</option>
        ${name === 'variant'
          ? variantOptions(values, chosen)
          : values.map((value) => html`<option value=${value} ?selected=${value === chosen}>${called(value)}</option>`)}
      </select>
    </label>`;
  }

  /** The number of games, or why there are none. */
  private state(): TemplateResult {
    const { shown, state, more } = this.list;
    if (state === 'stranger') {
      return html`<p class="empty" data-testid="live-stranger">
        ${say('watch.filter.friends.whose')} <a href=${authLink('/login', location.pathname + location.search)} data-page>${say('login.title')}</a>
      </p>`;
    }
    if (shown === null) {
      return html`<p class="empty">${say(state === 'failed' ? 'live.failed' : 'app.loading')}</p>`;
    }
    const n = shown.length;
    const { total } = this.list;
    const text =
      n > 0
        ? say(more && total === null ? 'watch.count.more' : 'watch.count', { n: Math.max(n, total ?? n) })
        : say(isEmptyFilter(this.filter) ? 'live.empty' : 'watch.filter.nothing');
    // The number changes all the time: it is read out once, as the answer to a filter.
    this.told ||= text;
    return html`<p class="count" data-testid=${n === 0 ? 'no-live' : 'live-count'}>${text}</p>
      ${n === 0 && isEmptyFilter(this.filter) ? toPlay() : nothing}`;
  }

  /** For screen readers, in a region that is there before its text. */
  private status(): string {
    const { shown, state } = this.list;
    if (state === 'stranger') return say('watch.filter.friends.whose');
    if (shown === null) return say(state === 'failed' ? 'live.failed' : 'app.loading');
    return this.told;
  }

  private apply(values: FormData): void {
    this.set(liveFilterOf(values));
  }

  private set(filter: LiveFilter): void {
    this.filter = filter;
    this.told = '';
    // The address tells what is shown, and going back undoes a choice.
    this.app.pushAddress(`${location.pathname}${query({ ...filter })}`);
    this.list.ask(filter);
    this.listed();
  }

  private news(g: string): void {
    this.list.noteEnd(g, performance.now());
    this.tiles.changed();
  }

  private listed(): void {
    this.tiles.show({
      games: this.list.shown ?? [],
      frame: (g, _index, inside) => {
        const mini = this.minis.get(g);
        return html`<div class="watch-tile">${inside} ${mini === null || this.list.simul(g) !== null ? nothing : this.wall.draw(mini)}</div>`;
      },
      simul: (g) => this.list.simul(g),
    });
    this.app.changed();
    if (this.waits) return;
    // Visibility is known once they are in the document.
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.visible.follow(this.tiles.element.querySelectorAll<HTMLElement>('[data-tile]'));
      this.follow();
    });
  }

  private follow(): void {
    this.minis.want((this.list.shown ?? []).filter((g) => this.visible.has(g)).slice(0, FOLLOWED));
  }
}
