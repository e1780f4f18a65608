/** The lobby: who waits for a game, how to ask for one, and what is being played. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App, Page } from '../app';
import { describe } from '../clock';
import { source } from '../frame/source';
import { LiveGames } from '../live-games';
import { CreateForm } from '../lobby/create';
import { QuickGames } from '../lobby/quick';
import { SentInvitations } from '../lobby/sent';
import type { Seek } from '../protocol';
import { LobbyStore } from '../store';
import { speedOf } from '../tempo';
import { nameOf, say, SIDES, variantName } from '../words';

const LIVE_SHOWN = 6;

export class LobbyPage implements Page {
  private readonly store = new LobbyStore();
  private readonly subscription;
  private readonly quick: QuickGames;
  private readonly form: CreateForm;
  private readonly live: LiveGames;
  private readonly sent: SentInvitations;

  constructor(private readonly app: App) {
    this.quick = new QuickGames(app);
    this.form = new CreateForm(app, new URLSearchParams(location.search).get('to'));
    this.live = new LiveGames(LIVE_SHOWN, app.socket.time, () => app.changed());
    this.sent = new SentInvitations(app);
    this.subscription = app.socket.subscribe('lobby', this.store);
    // Those that were sent from another tab.
    app.socket.askInvitations();
    document.title = say('app.name');
  }

  close(): void {
    this.subscription.close();
    this.live.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="lobby">
        ${this.quick.draw(this.store.seeks)}
        <div class="lobby-seeks">
          ${this.sent.draw()}
          <section class="card" aria-labelledby="waiting">
            <h2 id="waiting">${say('seeks.title')}</h2>
            ${this.list()}
            <p class="count" data-testid="count">${this.count()}</p>
          </section>
        </div>
        <div class="lobby-form">${this.form.draw(this.store.seeks)}</div>
        <section class="lobby-live" aria-labelledby="live-title">
          <h2 id="live-title">${say('live.title')} <a href="/live" data-page>${say('live.all')}</a></h2>
          ${this.live.draw()}
        </section>
      </div>
      ${source()}`,
      root,
    );
  }

  /** Without the line nobody knows who is here, nor whether anybody waits. */
  private isTold(): boolean {
    return this.app.socket.line === 'open' && this.store.seq() !== undefined;
  }

  private count(): string {
    const { line } = this.app.socket;
    if (!this.isTold()) return say(line === 'lost' ? 'line.lost' : 'line.connecting');
    const games = say('count.games', { n: this.store.games });
    return say('seeks.here', { games, people: say('count.people', { n: this.store.online }) });
  }

  private list(): TemplateResult {
    if (!this.isTold() && this.store.seeks.length === 0) return html`<p class="empty">${say('seeks.away')}</p>`;
    if (this.store.seeks.length === 0) return html`<p class="empty">${say('seeks.empty')}</p>`;
    return html`<ul class="seeks" data-testid="seeks">
      ${repeat(
        this.store.seeks,
        ({ seek }) => seek,
        (seek) => this.row(seek),
      )}
    </ul>`;
  }

  private row(seek: Seek): TemplateResult {
    const own = seek.user.id === this.app.socket.user?.id;
    const about = [
      nameOf('speed', speedOf(seek.tc)),
      variantName(seek.variant),
      seek.rated ? say('seeks.rated') : say('seeks.casual'),
      seek.color === 'random' ? '' : say('seeks.side', { side: SIDES[seek.color] }),
    ];
    return html`<li data-seek=${seek.seek}>
      <span class="seek-tempo">${describe(seek.tc)}</span>
      <span class="seek-who"
        ><a href="/user/${encodeURIComponent(seek.user.name)}" data-page>${seek.user.name}</a
        >${seek.rating ? html` (${seek.rating})` : nothing}<small>${about.filter(Boolean).join(' · ')}</small></span
      >
      ${own
        ? html`<button data-testid="unseek" @click=${() => this.answer('unseek', seek)}>${say('seeks.withdraw')}</button>`
        : html`<button class="main" data-testid="accept" @click=${() => this.answer('accept', seek)}>
            ${say('seeks.play')}
          </button>`}
    </li>`;
  }

  private answer(t: 'accept' | 'unseek', { seek }: Seek): void {
    void this.app.asking.ask({ t, seek });
  }
}
