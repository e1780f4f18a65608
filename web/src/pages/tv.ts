/** Television: the game of a channel at full size, and what comes after it by itself. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { query } from '../api';
import type { App, Page } from '../app';
import type { GamesPage, Incoming, ListedGame } from '../protocol';
import { GameStore } from '../store';
import type { Subscription } from '../subscriptions';
import { Wanted } from '../wanted';
import { ALONE } from '../watch/alone';
import { ChannelList } from '../watch/channel-list';
import { channelName, ChannelStore, next, type OnAir } from '../watch/channels';
import { Minis } from '../watch/minis';
import { SPEEDS } from '../settings';
import { say } from '../words';
import { GamePage } from './game';

const BEAT_MS = 500;
/** Of finished games so many are looked at, for those worth playing over. */
const RERUNS = 50;
const LEAST_PLIES = 10;
/** At these nothing happens for days. */
const SLOW = ['correspondence', 'unlimited'];
/** A game that is not told of by then is not waited for. */
const PATIENCE_MS = 10_000;

interface Shown {
  g: string;
  page: GamePage;
  store: GameStore;
  rerun: boolean;
  since: number;
  over: number | null;
}

export class TvPage implements Page {
  private readonly channels = new ChannelStore();
  private readonly subscription: Subscription;
  private readonly minis: Minis;
  private readonly list: ChannelList;
  private readonly stage = document.createElement('div');
  private readonly beat: ReturnType<typeof setInterval>;
  private shown: Shown | null = null;
  private finished: Wanted<GamesPage> | null = null;
  /** Another game is on, and the person looks back in this one. */
  private goneOn = false;

  constructor(
    private readonly app: App,
    private readonly channel: string,
  ) {
    document.title = say('app.title', { page: say('tv.title', { channel: channelName(channel) }) });
    this.stage.className = 'tv-stage';
    this.stage.dataset.testid = 'tv-stage';
    const whole = () => (this.shown?.store.game ? [this.shown.store.game] : []);
    this.minis = new Minis(app.socket, { games: () => [...whole(), ...app.ownGames.games()] }, () => this.list.changed());
    this.list = new ChannelList(this.channels, channel, (g) => this.minis.get(g));
    const topic = { seq: () => this.channels.seq(), take: (message: Incoming) => this.channels.take(message) };
    this.subscription = app.socket.subscribe('tv', topic);
    this.beat = setInterval(() => this.turn(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.beat);
    this.subscription.close();
    this.shown?.page.close();
    this.minis.close();
    this.list.close();
    this.finished?.close();
  }

  /** The one that is shown whole. */
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

  private state(): TemplateResult {
    const { shown, channels, goneOn } = this;
    if (shown === null) {
      const waits = channels.games === null || this.finished === null || this.finished.got === null;
      return html`<p class="empty" role="status" data-testid="tv-state">${say(waits ? 'app.loading' : 'tv.nothing')}</p>`;
    }
    return html`<p class="tv-state" role="status" data-testid="tv-state">
      <span>${say(shown.rerun ? 'tv.rerun' : 'tv.live')}</span>
      ${goneOn ? html`<button data-testid="tv-follow" @click=${() => this.follow()}>${say('tv.follow')}</button>` : nothing}
      <a href="/game/${shown.g}" data-page>${say('tv.game')}</a>
    </p>`;
  }

  /** What is on now; null where the channel shows nothing that goes on. */
  private told(): string | null {
    const g = this.channels.games?.[this.channel] ?? null;
    if (g === null || g === this.shown?.g) return g;
    return this.minis.get(g)?.status === 'over' ? null : g;
  }

  private turn(): void {
    const { shown } = this;
    if (this.channels.games === null) return;
    const instant = performance.now();
    if (shown) this.note(shown, instant);
    const now: OnAir | null = shown && {
      g: shown.g,
      over: shown.over,
      rerun: shown.rerun,
      live: shown.page.atNewest(),
      done: shown.page.replayed(),
    };
    const told = this.told();
    const turn = next(now, told, this.reruns(), instant);
    this.goneOn = turn === 'stay' && told !== null && shown !== null && told !== shown.g && !now?.live;
    if (turn === 'search') this.search();
    else if (turn !== 'stay') this.put(turn.to, turn.rerun);
  }

  private note(shown: Shown, instant: number): void {
    const { game } = shown.store;
    const late = game === null && instant - shown.since > PATIENCE_MS;
    const over = late || (shown.rerun ? shown.page.replayed() : game?.status === 'over');
    if (!over) shown.over = null;
    else shown.over ??= instant;
  }

  private follow(): void {
    const told = this.told();
    if (told !== null) this.put(told, false);
  }

  private put(g: string, rerun: boolean): void {
    const { app } = this;
    this.shown?.page.close();
    const store = new GameStore();
    const page = new GamePage(app, g, { beside: ALONE, store, hosts: false });
    if (rerun) page.replay();
    this.shown = { g, page, store, rerun, since: performance.now(), over: null };
    app.changed();
  }

  private search(): void {
    const { channel } = this;
    const isSpeed = (SPEEDS as readonly string[]).includes(channel);
    const kind = channel === 'best' ? {} : isSpeed ? { speed: channel } : { variant: channel };
    this.finished ??= new Wanted(`/api/v1/games${query({ ...kind, limit: RERUNS })}`, () => this.app.changed());
  }

  /** Null before it is known. */
  private reruns(): string[] | null {
    return this.finished?.got?.games.filter(isWorth).map(({ g }) => g) ?? null;
  }
}

const isWorth = ({ status, result, plies, speed }: ListedGame): boolean =>
  status === 'over' && result !== '*' && plies >= LEAST_PLIES && !SLOW.includes(speed);
