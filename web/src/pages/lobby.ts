/** The lobby: ways to get a game, people who want one, and running games. Places are kept free for what arrives later. */

import { html, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { browserStorage } from '../browser/storage';
import { SentInvitations } from '../lobby/challenges/sent';
import { OnlineNames } from '../lobby/page/online-names';
import { QuickGames } from '../lobby/page/quick-games';
import { LobbySimuls } from '../lobby/page/simuls';
import { OwnRatings } from '../lobby/seeks/own-ratings';
import { sortedSeeks } from '../lobby/seeks/seek-fit';
import { SeekGraph } from '../lobby/seeks/seek-graph';
import { seekList } from '../lobby/seeks/seek-list';
import type { LobbyStore } from '../state/lobby-store';
import { emptyCreate } from '../ui/message';
import type { Page } from '../ui/page';
import { sourceLink } from '../ui/source-link';
import { emptyFeatured } from '../watch/empty-tile';
import type { FeaturedGame } from '../watch/featured-game';
import { liveList } from '../watch/live-cards';
import { say } from '../words/words';

const BEAT_MS = 1_000;
/** Storage key: whether seeks are shown as a chart. */
const GRAPHED = 'seeks.graph';

export class LobbyPage implements Page {
  private readonly quick: QuickGames;
  private readonly sent: SentInvitations;
  private readonly graph: SeekGraph;
  private readonly ratings: OwnRatings;
  private readonly simuls: LobbySimuls;
  private readonly online: OnlineNames;
  /** Null until it is loaded. */
  private featured: FeaturedGame | null = null;
  private closed = false;
  private readonly ticker: ReturnType<typeof setInterval>;
  private graphed = browserStorage('local')?.getItem(GRAPHED) === 'true';

  constructor(private readonly app: App) {
    this.quick = new QuickGames(app);
    this.sent = new SentInvitations(app);
    this.graph = new SeekGraph(app);
    this.ratings = new OwnRatings(app);
    this.simuls = new LobbySimuls(app);
    this.online = new OnlineNames(app);
    // Without a connection its place stays empty.
    import('../watch/featured-game').then(({ FeaturedGame }) => this.show(FeaturedGame), () => undefined);
    app.seeks.watch(true);
    this.ticker = setInterval(() => document.hidden || this.store.top.length === 0 || app.changed(), BEAT_MS);
    // Invitations sent from another tab.
    app.socket.askInvitations();
    document.title = say('app.name');
  }

  close(): void {
    this.closed = true;
    this.featured?.close();
    this.simuls.close();
    this.online.close();
    this.app.seeks.watch(false);
    this.ratings.close();
    clearInterval(this.ticker);
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="lobby">
        <div class="lobby-top">
          <p class="lobby-about">${say(this.isMember() ? 'lobby.about.member' : 'lobby.about')}</p>
          <p class="count" data-testid="count">${this.count()}</p>
          ${this.app.bans.draw()}
        </div>
        <div class="lobby-quick">${this.quick.draw()}</div>
        <section class="card lobby-tv watch-tile" aria-labelledby="tv-title" data-testid="featured">
          <h2 id="tv-title"><a href="/tv" data-page>${say('nav.tv')}</a></h2>
          ${this.featured?.element ?? emptyFeatured()}
        </section>
        ${this.simuls.draw(this.store.simuls)}
        <div class="lobby-seeks">
          <section class="card" aria-labelledby="waiting">
            <div class="seeks-head">
              <h2 id="waiting">${say('seeks.title')}</h2>
              <div class="choices" role="radiogroup" aria-label=${say('seeks.view')}>
                ${this.view(false, say('seeks.view.list'))} ${this.view(true, say('seeks.view.graph'))}
              </div>
            </div>
            ${this.sent.draw()} ${this.seeks()} ${this.online.draw()}
          </section>
        </div>
        <section class="lobby-live" aria-labelledby="live-title">
          <h2 id="live-title">${say('live.title')} <a href="/live" data-page>${say('live.all')}</a></h2>
          ${this.live()}
        </section>
      </div>
      ${sourceLink()}`,
      root,
    );
  }

  private get store(): LobbyStore {
    return this.app.seeks.store;
  }

  /** Offline, nobody knows who is here and what is open. */
  private isTold(): boolean {
    return this.app.seeks.isTold();
  }

  private isMember(): boolean {
    return (this.app.socket.user?.kind ?? 'guest') !== 'guest';
  }

  private count(): TemplateResult | string {
    const { state } = this.app.socket;
    if (!this.isTold()) return say(state === 'lost' ? 'line.lost' : 'line.connecting');
    const games = say('count.games', { n: this.store.games });
    const people = say('count.people', { n: this.store.online });
    return html`<a href="/players" data-page>${say('seeks.online', { people })}</a> · <a href="/live" data-page>${say('seeks.games', { games })}</a>`;
  }

  private seeks(): TemplateResult {
    const { seeks, waiters } = this.store;
    if (seeks.length + waiters.length === 0) {
      return this.isTold() ? emptyCreate(say('seeks.empty'), '/?create', say('seeks.empty.create')) : html`<p class="empty">${say('seeks.away')}</p>`;
    }
    const listed = sortedSeeks(seeks, waiters, this.ratings.now(), this.app.seeks.refused);
    return this.graphed ? this.graph.draw(listed) : seekList(this.app, listed);
  }

  private show(Featured: typeof FeaturedGame): void {
    if (this.closed) return;
    this.featured = new Featured(this.app, this.app.ownGames);
    this.app.changed();
  }

  private view(graphed: boolean, label: string): TemplateResult {
    const turn = () => {
      this.graphed = graphed;
      try {
        browserStorage('local')?.setItem(GRAPHED, String(graphed));
      } catch {
        // The storage is full: the next visit starts with the list.
      }
      this.app.changed();
    };
    const value = graphed ? 'graph' : 'list';
    return html`<label class="choice"
      ><input type="radio" name="seeks-view" value=${value} .checked=${graphed === this.graphed} @change=${turn} /><span
        data-testid="view-${value}"
        >${label}</span
      ></label
    >`;
  }

  /** Their clocks run between messages. */
  private live(): TemplateResult {
    const { top } = this.store;
    if (!this.isTold() && top.length === 0) return html`<p class="empty">${say('app.loading')}</p>`;
    return liveList(top, this.app.socket.time);
  }
}
