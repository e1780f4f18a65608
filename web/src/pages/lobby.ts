/** The lobby: open seeks, ways to get a game, and running games. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { browserStorage } from '../browser/storage';
import { SentInvitations } from '../lobby/challenges/sent';
import { CreateForm } from '../lobby/form/create-form';
import { OwnRatings } from '../lobby/seeks/own-ratings';
import { QuickGames } from '../lobby/seeks/quick-games';
import { sortedSeeks } from '../lobby/seeks/seek-fit';
import { SeekGraph } from '../lobby/seeks/seek-graph';
import { seekList } from '../lobby/seeks/seek-list';
import { simulRows } from '../simul/text/rows';
import type { LobbyStore } from '../state/lobby-store';
import type { Page } from '../ui/page';
import { sourceLink } from '../ui/source-link';
import { liveList } from '../watch/live-cards';
import { say } from '../words/words';

const BEAT_MS = 1_000;
/** Storage key: whether seeks are shown as a chart. */
const GRAPHED = 'seeks.graph';

export class LobbyPage implements Page {
  private readonly quick: QuickGames;
  private readonly form: CreateForm;
  private readonly sent: SentInvitations;
  private readonly graph: SeekGraph;
  private readonly ratings: OwnRatings;
  private readonly ticker: ReturnType<typeof setInterval>;
  private graphed = browserStorage('local')?.getItem(GRAPHED) === 'true';

  constructor(private readonly app: App) {
    this.quick = new QuickGames(app);
    this.form = new CreateForm(app, new URLSearchParams(location.search).get('to'));
    this.sent = new SentInvitations(app);
    this.graph = new SeekGraph(app);
    this.ratings = new OwnRatings(app);
    app.seeks.watch(true);
    this.ticker = setInterval(() => document.hidden || this.store.top.length === 0 || app.changed(), BEAT_MS);
    // Invitations sent from another tab.
    app.socket.askInvitations();
    document.title = say('app.name');
  }

  close(): void {
    this.app.seeks.watch(false);
    this.form.close();
    this.ratings.close();
    clearInterval(this.ticker);
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="lobby">
        <div class="lobby-top">${this.app.bans.draw()} ${this.quick.draw()}</div>
        <div class="lobby-seeks">
          ${this.sent.draw()}
          <section class="card" aria-labelledby="waiting">
            <div class="seeks-head">
              <h2 id="waiting">${say('seeks.title')}</h2>
              <div class="choices" role="radiogroup" aria-label=${say('seeks.view')}>
                ${this.view(false, say('seeks.view.list'))} ${this.view(true, say('seeks.view.graph'))}
              </div>
            </div>
            ${this.seeks()}
            <p class="count" data-testid="count">${this.count()}</p>
          </section>
          ${this.simuls()}
        </div>
        <div class="lobby-form">${this.form.draw(this.store.seeks)}</div>
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

  private count(): string {
    const { state } = this.app.socket;
    if (!this.isTold()) return say(state === 'lost' ? 'line.lost' : 'line.connecting');
    const games = say('count.games', { n: this.store.games });
    return say('seeks.here', { games, people: say('count.people', { n: this.store.online }) });
  }

  private seeks(): TemplateResult {
    const { seeks } = this.store;
    if (seeks.length === 0) return html`<p class="empty">${say(this.isTold() ? 'seeks.empty' : 'seeks.away')}</p>`;
    const offers = sortedSeeks(seeks, this.ratings.now());
    return this.graphed ? this.graph.draw(offers) : seekList(this.app, offers);
  }

  /** Simuls that the person can join. */
  private simuls(): TemplateResult | typeof nothing {
    const { simuls } = this.store;
    if (simuls.length === 0) return nothing;
    return html`<section class="card" aria-labelledby="simuls-title" data-testid="lobby-simuls">
      <h2 id="simuls-title"><a href="/simuls" data-page>${say('simuls.title')}</a></h2>
      ${simulRows(simuls, this.app.socket.time.now())}
    </section>`;
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
