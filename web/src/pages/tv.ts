/** TV: the game of a channel in full size, followed by the next one. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { GamePage } from '../game/page/game-page';
import type { TvMessage } from '../net/protocol';
import type { Subscription } from '../net/subscriptions';
import { GameStore } from '../state/game-store';
import { message, toPlay } from '../ui/message';
import type { Page } from '../ui/page';
import { ChannelList } from '../watch/channel-list';
import { BEAT_MS, ChannelShow, type ShownGame } from '../watch/channel-show';
import { channelName, ChannelStore, SIMUL } from '../watch/channels';
import { isOwn, miniOfGame } from '../watch/mini';
import { MiniGames } from '../watch/mini-games';
import { NO_EXTENSION } from '../watch/no-extension';
import { Reruns } from '../watch/reruns';
import { say, type PlainKey } from '../words/words';

/** The game on the screen. */
interface Screen {
  page: GamePage;
  store: GameStore;
}

export class TvPage implements Page {
  private readonly channels = new ChannelStore();
  private readonly subscription: Subscription;
  private readonly minis: MiniGames;
  private readonly list: ChannelList;
  private readonly stage = document.createElement('div');
  private readonly ticker: ReturnType<typeof setInterval>;
  private readonly reruns: Reruns;
  private readonly show: ChannelShow;
  /** Null before the first game. */
  private screen: Screen | null = null;

  constructor(
    private readonly app: App,
    private readonly channel: string,
  ) {
    document.title = say('app.title', { page: say('tv.title', { channel: channelName(channel) }) });
    this.reruns = new Reruns(channel, () => app.changed());
    this.stage.className = 'tv-stage';
    this.stage.dataset.testid = 'tv-stage';
    const whole = () => (this.screen?.store.game ? [this.screen.store.game] : []);
    this.minis = new MiniGames(app.socket, { games: () => [...whole(), ...app.ownGames.games()] }, () => this.list.changed());
    this.list = new ChannelList(this.channels, channel, (g) => this.minis.get(g), () => this.show.shown, () => app.socket.user?.id);
    this.show = new ChannelShow(
      channel,
      this.channels,
      this.minis,
      this.reruns,
      () => this.shownState(),
      (shown) => this.put(shown),
    );
    const topic = { seq: () => this.channels.seq(), take: (message: TvMessage) => this.channels.take(message) };
    this.subscription = app.socket.subscribe('tv', topic);
    this.ticker = setInterval(() => this.turn(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.subscription.close();
    this.screen?.page.close();
    this.minis.close();
    this.list.close();
    this.reruns.close();
  }

  /** The game shown in full size. */
  game(): string | null {
    return this.show.shown?.g ?? null;
  }

  yourMove(): boolean {
    return this.screen?.page.yourMove() ?? false;
  }

  playing(): boolean {
    return this.screen?.page.playing() ?? false;
  }

  draw(root: HTMLElement): void {
    if (this.missing()) {
      render(message(say('missing.title'), say('missing.text')), root);
      return;
    }
    this.turn();
    const { shown } = this.show;
    this.minis.want(this.listed().filter((g) => g !== shown?.g));
    this.list.changed();
    render(
      html`<div class="tv">
        <h1 class="unseen">${say('tv.title', { channel: channelName(this.channel) })}</h1>
        ${this.list.element}
        <section class="tv-on" aria-label=${channelName(this.channel)} data-testid="tv" data-g=${shown?.g ?? nothing} data-rerun=${String(shown?.rerun ?? false)}>
          ${this.state()} ${this.stage}
        </section>
      </div>`,
      root,
    );
    this.stage.hidden = shown === null;
    this.screen?.page.draw(this.stage);
  }

  /** The games of the channels with a tile. */
  private listed(): string[] {
    const { games } = this.channels;
    return [...new Set(this.list.names().flatMap((name) => games?.[name] ?? []))];
  }

  /** Whether the server has no such channel. */
  private missing(): boolean {
    return this.channels.games !== null && !this.channels.names().includes(this.channel);
  }

  private state(): TemplateResult {
    const { channels, screen, show } = this;
    if (show.shown === null || screen === null) {
      const simul = this.channel === SIMUL;
      const waits = channels.games === null || (!simul && !this.reruns.isKnown());
      const none = simul ? 'tv.simul.none' : 'tv.nothing';
      return html`<p class="empty" role="status" data-testid="tv-state">
          ${say(waits ? 'app.loading' : none)} ${simul && !waits ? html`<a href="/simuls" data-page>${say('simuls.title')}</a>` : nothing}
        </p>
        ${waits || simul ? nothing : toPlay()}`;
    }
    const { game } = screen.store;
    return html`<p class="tv-state" role="status" data-testid="tv-state">
      ${show.shown.rerun ? html`<b class="tv-mark" data-testid="tv-replay">${say('featured.replay')}</b>` : nothing}
      ${game && isOwn(miniOfGame(game), this.app.socket.user?.id) ? html`<b class="tv-own" data-testid="tv-own">${say('tv.own')}</b>` : nothing}
      <span>${say(stateOf(show.shown, screen.store))}</span>
      ${show.goneOn ? html`<button data-testid="tv-follow" @click=${() => show.follow(performance.now())}>${say('tv.follow')}</button>` : nothing}
      ${game?.simul ? html`<a href="/simul/${game.simul}" data-page data-testid="tv-simul">${say('tv.simul.open')}</a>` : nothing}
      <a href="/game/${show.shown.g}" data-page>${say('tv.game')}</a>
    </p>`;
  }

  private turn(): void {
    if (!this.missing() && this.show.turn(performance.now())) this.app.changed();
  }

  private shownState() {
    const { page, store } = this.screen!;
    return { status: store.game?.status ?? null, plies: store.game?.moves.length ?? 0, live: page.atNewest(), done: page.replayed() };
  }

  private put({ g, rerun }: ShownGame): void {
    const { app } = this;
    this.screen?.page.close();
    const store = new GameStore();
    const page = new GamePage(app, g, { extension: NO_EXTENSION, store, hosts: false });
    if (rerun) page.replay();
    this.screen = { page, store };
    app.changed();
  }
}

function stateOf({ rerun, wentOn }: ShownGame, { game }: GameStore): PlainKey {
  if (rerun) return 'tv.rerun';
  if (game === null) return 'app.loading';
  if (game.status !== 'over') return 'tv.live';
  return wentOn ? 'tv.over' : 'tv.last';
}
