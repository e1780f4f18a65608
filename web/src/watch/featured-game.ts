/**
 * The best running game on a small board; when there is none, the last one, then replays of finished games. It draws
 * itself, without the page.
 */

import { html, nothing, render } from 'lit-html';
import { START } from '../board/chess/position';
import { CHESS } from '../board/grounds';
import { StillBoard } from '../board/still-board';
import { browserStorage } from '../browser/storage';
import type { GameSnapshot, TvMessage } from '../net/protocol';
import type { Subscription } from '../net/subscriptions';
import type { AppServices } from '../session/services';
import { reducesMotion } from '../settings/settings';
import { icon } from '../ui/icons';
import { say, type PlainKey } from '../words/words';
import { BEAT_MS, ChannelShow, type ShownGame, type ShownState } from './channel-show';
import { BEST, ChannelStore } from './channels';
import { emptyTile } from './empty-tile';
import { isOwn, type Mini } from './mini';
import { MiniGames } from './mini-games';
import { ReplayedGame } from './replayed-game';
import { Reruns } from './reruns';
import { tile } from './tile';

/** Storage key: whether replays go on by themselves, once the person has chosen. */
const MOVES = 'featured.moves';

export class FeaturedGame {
  readonly element = document.createElement('div');
  private readonly channels = new ChannelStore();
  private readonly subscription: Subscription;
  private readonly minis: MiniGames;
  private readonly reruns: Reruns;
  private readonly board = new StillBoard();
  private readonly ticker: ReturnType<typeof setInterval>;
  private readonly show: ChannelShow;
  /** Of the shown game, if it is one that is replayed. */
  private replayed: ReplayedGame | null = null;
  /** Whether replays go on by themselves; null: the settings decide. */
  private moves = storedMoves();
  private frame: number | null = null;

  /** `own`: the person's games, which are followed completely. */
  constructor(
    private readonly app: Pick<AppServices, 'settings' | 'socket'>,
    own: { games(): GameSnapshot[] },
  ) {
    const { socket } = app;
    this.element.className = 'featured';
    const changed = () => this.changed();
    this.minis = new MiniGames(socket, own, changed);
    this.reruns = new Reruns(BEST, changed);
    this.show = new ChannelShow(
      BEST,
      this.channels,
      this.minis,
      this.reruns,
      () => this.state(),
      (shown) => this.put(shown),
    );
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
    this.replayed?.close();
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
    this.show.turn(performance.now());
    const { shown } = this.show;
    const wanted = [shown?.rerun === false ? shown.g : null, this.show.told()];
    this.minis.want([...new Set(wanted.filter((g) => g !== null))]);
  }

  private put({ g, rerun }: ShownGame): void {
    this.replayed?.close();
    this.replayed = rerun ? new ReplayedGame(g, this.isMoving(), () => this.changed()) : null;
  }

  /** The position; null while it is loaded. */
  private mini(): Mini | null {
    const { shown } = this.show;
    return this.replayed?.now() ?? (shown?.rerun === false ? this.minis.get(shown.g) : null);
  }

  private state(): ShownState {
    const mini = this.mini();
    const { replayed } = this;
    return { status: replayed && mini ? 'over' : (mini?.status ?? null), plies: mini?.ply ?? 0, live: true, done: replayed?.done() ?? false };
  }

  private isMoving(): boolean {
    return this.moves ?? !reducesMotion(this.app.settings.now);
  }

  private setMoves(moves: boolean): void {
    this.moves = moves;
    try {
      browserStorage('local')?.setItem(MOVES, String(moves));
    } catch {
      // The storage is full: the next visit starts as the settings say.
    }
    this.replayed?.setMoves(moves);
    this.changed();
  }

  /** The lobby has no other motion that lasts. */
  private pauseButton() {
    const moves = this.isMoving();
    const label = say(moves ? 'replay.pause' : 'featured.play');
    return html`<button class="plain" data-testid="featured-pause" aria-label=${label} @click=${() => this.setMoves(!moves)}>
      ${icon(moves ? 'pause' : 'play')}
    </button>`;
  }

  private paint(): void {
    const { board, replayed } = this;
    const { shown } = this.show;
    const mini = this.mini();
    this.element.dataset.rerun = String(replayed !== null);
    const inside = mini
      ? tile({ mini, board, now: this.app.socket.time.now(), tenths: false, testid: 'featured-game' })
      : emptyTile(shown === null && this.reruns.isKnown() ? say('live.empty') : '', board.element);
    if (mini === null && shown === null) board.show(CHESS, START, null);
    const own = mini !== null && isOwn(mini, this.app.socket.user?.id);
    const words = shown && mini ? [say(stateOf(shown, mini)), ...(own ? [say('tv.own')] : [])].join(' · ') : '\u00a0';
    const live = mini?.status === 'live' && replayed === null;
    render(
      html`<p class="featured-state" data-live=${String(live)}>
          <span data-testid="featured-state">${words}</span>${replayed === null ? nothing : this.pauseButton()}
        </p>
        ${inside}`,
      this.element,
    );
  }
}

function stateOf({ rerun, wentOn }: ShownGame, mini: Mini): PlainKey {
  if (rerun) return 'featured.replay';
  if (mini.status !== 'over') return 'tv.live';
  return wentOn ? 'tv.over' : 'tv.last';
}

function storedMoves(): boolean | null {
  const stored = browserStorage('local')?.getItem(MOVES);
  return stored == null ? null : stored === 'true';
}
