/** TV: the game of a channel in full size, followed by the next one. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { GamePage } from '../game/page/game-page';
import type { TvMessage } from '../net/protocol';
import type { Subscription } from '../net/subscriptions';
import { GameStore } from '../state/game-store';
import { message } from '../ui/message';
import { toPlay } from '../ui/message';
import type { Page } from '../ui/page';
import { ChannelList } from '../watch/channel-list';
import { channelName, ChannelStore, nextTurn, SIMUL, type NowShown } from '../watch/channels';
import { MiniGames } from '../watch/mini-games';
import { NO_EXTENSION } from '../watch/no-extension';
import { Reruns } from '../watch/reruns';
import { say, type PlainKey } from '../words/words';

const BEAT_MS = 500;
/** How long to wait for a game's first message. */
const PATIENCE_MS = 10_000;

interface Shown {
  g: string;
  page: GamePage;
  store: GameStore;
  rerun: boolean;
  since: number;
  over: number | null;
  /** It was running while it was shown. */
  wentOn: boolean;
}

export class TvPage implements Page {
  private readonly channels = new ChannelStore();
  private readonly subscription: Subscription;
  private readonly minis: MiniGames;
  private readonly list: ChannelList;
  private readonly stage = document.createElement('div');
  private readonly ticker: ReturnType<typeof setInterval>;
  private shown: Shown | null = null;
  private readonly reruns: Reruns;
  /** Games known to be over. */
  private readonly ended = new Set<string>();
  /** Another game is on, but the person is looking back in this one. */
  private goneOn = false;

  constructor(
    private readonly app: App,
    private readonly channel: string,
  ) {
    document.title = say('app.title', { page: say('tv.title', { channel: channelName(channel) }) });
    this.reruns = new Reruns(channel, () => app.changed());
    this.stage.className = 'tv-stage';
    this.stage.dataset.testid = 'tv-stage';
    const whole = () => (this.shown?.store.game ? [this.shown.store.game] : []);
    this.minis = new MiniGames(app.socket, { games: () => [...whole(), ...app.ownGames.games()] }, () => this.list.changed());
    this.list = new ChannelList(this.channels, channel, (g) => this.minis.get(g));
    const topic = { seq: () => this.channels.seq(), take: (message: TvMessage) => this.channels.take(message) };
    this.subscription = app.socket.subscribe('tv', topic);
    this.ticker = setInterval(() => this.turn(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.subscription.close();
    this.shown?.page.close();
    this.minis.close();
    this.list.close();
    this.reruns.close();
  }

  /** The game shown in full size. */
  game(): string | null {
    return this.shown?.g ?? null;
  }

  yourMove(): boolean {
    return this.shown?.page.yourMove() ?? false;
  }

  playing(): boolean {
    return this.shown?.page.playing() ?? false;
  }

  draw(root: HTMLElement): void {
    if (this.missing()) {
      render(message(say('missing.title'), say('missing.text')), root);
      return;
    }
    this.turn();
    const { shown } = this;
    this.minis.want(Object.values(this.channels.games ?? {}).filter((g) => g !== shown?.g));
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
    shown?.page.draw(this.stage);
  }

  /** Whether the server has no such channel. */
  private missing(): boolean {
    return this.channels.games !== null && !this.channels.names().includes(this.channel);
  }

  private state(): TemplateResult {
    const { shown, channels, goneOn } = this;
    if (shown === null) {
      const simul = this.channel === SIMUL;
      const waits = channels.games === null || (!simul && !this.reruns.isKnown());
      const none = simul ? 'tv.simul.none' : 'tv.nothing';
      return html`<p class="empty" role="status" data-testid="tv-state">
          ${say(waits ? 'app.loading' : none)} ${simul && !waits ? html`<a href="/simuls" data-page>${say('simuls.title')}</a>` : nothing}
        </p>
        ${waits || simul ? nothing : toPlay()}`;
    }
    return html`<p class="tv-state" role="status" data-testid="tv-state">
      <span>${say(stateOf(shown))}</span>
      ${goneOn ? html`<button data-testid="tv-follow" @click=${() => this.follow()}>${say('tv.follow')}</button>` : nothing}
      ${shown.store.game?.simul ? html`<a href="/simul/${shown.store.game.simul}" data-page data-testid="tv-simul">${say('tv.simul.open')}</a>` : nothing}
      <a href="/game/${shown.g}" data-page>${say('tv.game')}</a>
    </p>`;
  }

  /** The channel's game; null if it is known to be over. */
  private told(): string | null {
    const g = this.channels.games?.[this.channel] ?? null;
    if (g === null || this.ended.has(g) || this.minis.missing(g)) return null;
    return this.minis.get(g)?.status === 'over' ? null : g;
  }

  private turn(): void {
    const { shown } = this;
    if (this.channels.games === null || this.missing()) return;
    const instant = performance.now();
    if (shown) this.note(shown, instant);
    const now: NowShown | null = shown && {
      g: shown.g,
      over: shown.over,
      rerun: shown.rerun,
      live: shown.page.atNewest(),
      done: shown.page.replayed(),
    };
    const told = this.told();
    const turn = nextTurn(now, told, this.reruns.list(), instant);
    this.goneOn = turn === 'stay' && told !== null && shown !== null && told !== shown.g && !now?.live;
    if (turn === 'search' || (now?.over && told === null)) this.reruns.search(instant);
    if (typeof turn === 'object') this.put(turn.to, turn.rerun);
  }

  private note(shown: Shown, instant: number): void {
    const { game } = shown.store;
    const late = game === null && instant - shown.since > PATIENCE_MS;
    if (game?.status === 'over') this.ended.add(shown.g);
    else if (game) shown.wentOn = true;
    const over = late || (shown.rerun ? shown.page.replayed() : game?.status === 'over');
    if (!over) shown.over = null;
    else if (shown.over === null) {
      shown.over = instant;
      if (shown.wentOn) this.reruns.see(shown.g);
      this.reruns.spread(instant);
      this.app.changed();
    }
  }

  private follow(): void {
    const told = this.told();
    if (told !== null) this.put(told, false);
  }

  private put(g: string, rerun: boolean): void {
    const { app } = this;
    this.shown?.page.close();
    const store = new GameStore();
    const page = new GamePage(app, g, { extension: NO_EXTENSION, store, hosts: false });
    if (rerun) {
      page.replay();
      this.reruns.see(g);
    }
    this.shown = { g, page, store, rerun, since: performance.now(), over: null, wentOn: false };
    app.changed();
  }
}

function stateOf({ rerun, wentOn, store }: Shown): PlainKey {
  if (rerun) return 'tv.rerun';
  if (store.game === null) return 'app.loading';
  if (store.game.status !== 'over') return 'tv.live';
  return wentOn ? 'tv.over' : 'tv.last';
}
