/**
 * The best running game on a small board; when there is none, the last one, then replays of finished games. It draws
 * itself, without the page.
 */

import { html, render } from 'lit-html';
import { START } from '../board/chess/position';
import { CHESS } from '../board/grounds';
import { StillBoard } from '../board/still-board';
import type { GameSnapshot, TvMessage } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { Subscription } from '../net/subscriptions';
import { say, type PlainKey } from '../words/words';
import { ChannelStore, nextTurn } from './channels';
import { emptyTile } from './empty-tile';
import type { Mini } from './mini';
import { MiniGames } from './mini-games';
import { ReplayedGame } from './replayed-game';
import { Reruns } from './reruns';
import { tile } from './tile';

const CHANNEL = 'best';
const BEAT_MS = 500;
/** How long to wait for a game's first message. */
const PATIENCE_MS = 10_000;

interface Shown {
  g: string;
  replayed: ReplayedGame | null;
  since: number;
  over: number | null;
  /** It was running while it was shown. */
  wentOn: boolean;
}

export class FeaturedGame {
  readonly element = document.createElement('div');
  private readonly channels = new ChannelStore();
  private readonly subscription: Subscription;
  private readonly minis: MiniGames;
  private readonly reruns: Reruns;
  private readonly board = new StillBoard();
  private readonly ticker: ReturnType<typeof setInterval>;
  /** Games known to be over. */
  private readonly ended = new Set<string>();
  private shown: Shown | null = null;
  private frame: number | null = null;

  /** `own`: the person's games, which are followed completely. */
  constructor(
    private readonly socket: Pick<Socket, 'subscribe' | 'time'>,
    own: { games(): GameSnapshot[] },
  ) {
    this.element.className = 'featured';
    const changed = () => this.changed();
    this.minis = new MiniGames(socket, own, changed);
    this.reruns = new Reruns(CHANNEL, changed);
    const topic = { seq: () => this.channels.seq(), take: (message: TvMessage) => this.channels.take(message) };
    this.subscription = socket.subscribe('tv', topic, {}, { last: true });
    this.ticker = setInterval(() => document.hidden || this.turn(), BEAT_MS);
    // At once: an empty element would move what is below it.
    this.paint();
  }

  close(): void {
    clearInterval(this.ticker);
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.subscription.close();
    this.shown?.replayed?.close();
    this.minis.close();
    this.reruns.close();
  }

  /** Draw with the next frame; many calls draw once. */
  private changed(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  private turn(): void {
    this.changed();
    const { shown } = this;
    if (this.channels.games === null) return;
    const instant = performance.now();
    if (shown) this.note(shown, instant);
    const now = shown && { g: shown.g, over: shown.over, rerun: shown.replayed !== null, live: true, done: shown.replayed?.done() ?? false };
    const told = this.told();
    const turn = nextTurn(now, told, this.reruns.list(), instant);
    if (turn === 'search' || (now?.over && told === null)) this.reruns.search(instant);
    if (typeof turn === 'object') this.put(turn.to, turn.rerun, instant);
    const wanted = [this.shown?.replayed === null ? this.shown.g : null, told];
    this.minis.want([...new Set(wanted.filter((g) => g !== null))]);
  }

  private note(shown: Shown, instant: number): void {
    const mini = shown.replayed === null ? this.minis.get(shown.g) : null;
    const late = this.state(shown) === null && instant - shown.since > PATIENCE_MS;
    if (mini?.status === 'over') this.ended.add(shown.g);
    else if (mini) shown.wentOn = true;
    const over = late || (shown.replayed ? shown.replayed.done() : mini?.status === 'over');
    if (!over) shown.over = null;
    else if (shown.over === null) {
      shown.over = instant;
      if (shown.wentOn) this.reruns.see(shown.g);
      this.reruns.spread(instant);
    }
  }

  /** The channel's game; null if it is known to be over. */
  private told(): string | null {
    const g = this.channels.games?.[CHANNEL] ?? null;
    if (g === null || this.ended.has(g) || this.minis.missing(g)) return null;
    if (this.minis.get(g)?.status !== 'over') return g;
    // It ended before it was shown: its end is shown, once.
    return this.shown === null ? g : null;
  }

  private put(g: string, rerun: boolean, instant: number): void {
    this.shown?.replayed?.close();
    if (rerun) this.reruns.see(g);
    const replayed = rerun ? new ReplayedGame(g, () => this.changed()) : null;
    this.shown = { g, replayed, since: instant, over: null, wentOn: false };
  }

  private state({ g, replayed }: Shown): Mini | null {
    return replayed ? replayed.now() : this.minis.get(g);
  }

  private paint(): void {
    const { shown, board } = this;
    const mini = shown && this.state(shown);
    this.element.dataset.rerun = String(shown?.replayed != null);
    const inside = mini
      ? tile({ mini, board, now: this.socket.time.now(), tenths: false, testid: 'featured-game' })
      : emptyTile(shown === null && this.reruns.isKnown() ? say('live.empty') : '', board.element);
    if (mini === null && shown === null) board.show(CHESS, START, null);
    const words = shown && mini ? say(stateOf(shown, mini)) : '\u00a0';
    render(html`<p class="featured-state" data-testid="featured-state" data-live=${String(mini?.status === 'live' && !shown?.replayed)}>${words}</p>${inside}`, this.element);
  }
}

function stateOf({ replayed, wentOn }: Shown, mini: Mini): PlainKey {
  if (replayed) return 'featured.replay';
  if (mini.status !== 'over') return 'tv.live';
  return wentOn ? 'tv.over' : 'featured.last';
}
