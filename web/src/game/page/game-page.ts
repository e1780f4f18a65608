/** The page of a game, for players and spectators. */

import { render } from 'lit-html';
import type { App } from '../../app';
import { ScreenWakeLock } from '../../browser/screen-wake-lock';
import { browserStorage } from '../../browser/storage';
import { embeddedSnapshot } from '../../net/page-snapshot';
import type { GameMessage, GameSnapshot } from '../../net/protocol';
import type { TakeResult } from '../../net/subscriptions';
import { opposite } from '../../notation/color';
import type { Settings } from '../../settings/settings';
import { GameStore } from '../../state/game-store';
import { describeSides } from '../../time/control-text';
import type { FollowedSimul, Page } from '../../ui/page';
import { abilitiesOf } from '../../variants/registry';
import { say } from '../../words/words';
import type { GameExtension, ParentPage } from '../play/extension';
import { firstMoveLeft_ms } from '../play/first-move';
import { LegalMovesTimeout } from '../play/legal-moves-timeout';
import { plyOfHash } from '../replay/ply-navigation';
import { GameLayout } from '../view/layout';
import { countGame } from '../view/match-score';
import { CurrentMoveScroller } from '../view/moves-list';
import { noticeOf } from '../view/notices';
import { loadingOrMissing } from '../view/status';
import { accessibleGame } from './accessible-game';
import { newOpponentRequest, robotOf, termsAgain } from './new-opponent';
import { PageParts, type PageActions } from './page-parts';

const CLOCK_EVERY_MS = 100;

/** Title of the tab; names can change during a game. */
const namesIn = ({ players: { w, b } }: GameSnapshot): string =>
  say('game.title', { white: w.user?.name ?? say('nobody'), black: b.user?.name ?? say('nobody') });

export class GamePage implements Page {
  private readonly store: GameStore;
  private readonly parts: PageParts;
  private readonly layout: GameLayout;
  private readonly wakeLock = new ScreenWakeLock();
  private readonly legalMovesTimeout = new LegalMovesTimeout();
  private readonly moveScroller = new CurrentMoveScroller();
  private readonly subscription;
  private readonly ticker: ReturnType<typeof setInterval>;
  private missing = false;
  private replays = false;
  private closed = false;
  /** Of a board of a simul; loaded when the game turns out to be one. */
  private extension: GameExtension | null;
  private joined: string | null = null;
  /** The code of games by the Laws is being loaded. */
  private loadsLaws = false;

  /** `parent`: the page that shows this game as a part. */
  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly parent: ParentPage | null = null,
  ) {
    this.store = parent?.store ?? new GameStore();
    this.extension = parent?.extension ?? null;
    const actions: PageActions = {
      again: () => this.again(),
      create: () => this.create(),
      rematch: () => this.rematch(),
      flip: () => this.flip(),
      escape: () => this.escape(),
      settings: () => this.settings(),
      extension: () => this.extension,
    };
    this.parts = new PageParts(app, id, this.store, parent, actions);
    this.layout = new GameLayout(app, id, this.parts, () => this.extension, parent !== null);
    if (parent === null) this.startFromPage();
    else if (this.store.game) this.changed(null, this.store.game);
    const topic = { seq: () => this.store.seq(), take: (message: GameMessage) => this.take(message) };
    this.subscription = app.socket.subscribe(`game:${id}`, topic, { legal: true, laws: true });
    this.ticker = setInterval(() => this.tick(), CLOCK_EVERY_MS);
    if (parent === null) addEventListener('hashchange', this.onHashChange);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.ticker);
    removeEventListener('hashchange', this.onHashChange);
    if (this.parent === null) this.extension?.close();
    this.subscription.close();
    this.parts.close();
    this.wakeLock.close();
    this.moveScroller.close();
    if (this.parent === null) delete document.documentElement.dataset.zen;
  }

  yourMove(): boolean {
    return this.parts.seat.yourMove();
  }

  playing(): boolean {
    return this.parts.seat.playing();
  }

  /** The simul of its board, which the extension follows. */
  simul(): FollowedSimul | null {
    return this.extension?.followed?.() ?? null;
  }

  /** Whether the newest position is shown. */
  atNewest(): boolean {
    return this.parts.navigation.isLive(this.store.game?.moves.length ?? 0);
  }

  /** Replay the game from the start, as soon as it is known. Nobody has asked for it: no clock runs as if it were live. */
  replay(): void {
    this.replays = true;
    if (this.store.game && !this.store.guessed) this.parts.replayer.play(this.store.game, { clocksRun: false });
  }

  /** Whether the replay has reached the end. */
  replayed(): boolean {
    return this.parts.replayer.done;
  }

  draw(root: HTMLElement): void {
    const { game } = this.store;
    // Loading the board is tried again after it failed.
    if (game !== null && this.parts.mover.gameBoard.kind === null) this.parts.mover.gameBoard.begin(game, () => this.app.changed());
    if (game?.laws && this.parts.laws === null) void this.loadLaws();
    if (game === null || this.parts.mover.gameBoard.kind === null || (game.laws && this.parts.laws === null)) {
      render(loadingOrMissing(this.missing), root);
      return;
    }
    const { seat, mover, absence } = this.parts;
    const settings = this.settings();
    const { zen, textMode } = settings;
    const shown = this.parts.navigation.ply(game.moves.length);
    const side = seat.side();
    absence.update(game, this.store.left, side && opposite(side), Date.now());
    const hint = this.parts.hints.current(game);
    mover.gameBoard.show(game, shown, hint?.move);
    this.parts.replayer.sync(game, shown);
    this.wakeLock.hold(this.playing());
    if (this.parent === null) document.documentElement.dataset.zen = String(zen && this.playing());
    this.parts.access.show(accessibleGame(game, shown, { seat, mover, absence, hint, laws: this.parts.laws?.access ?? null, time: this.app.socket.time, telling: settings }));
    if (textMode) {
      render(this.parts.access.page(this.layout.question(game), this.layout.talk(game)), root);
      return;
    }
    render(this.layout.draw(game, shown), root);
    this.showClocks(game);
    this.moveScroller.keep(root, [game.moves.length, shown].join());
    this.parts.chat.keep();
    mover.focusConfirmation();
  }

  /** The settings, without text mode if the game has none. */
  private settings(): Settings {
    const { now } = this.app.settings;
    const { game } = this.store;
    const isPossible = game === null || (abilitiesOf(game.variant).textMode && !this.parts.seat.isShared());
    return now.textMode && !isPossible ? { ...now, textMode: false } : now;
  }

  /** While replaying, the clocks of that time, without the low-time warning. */
  private showClocks(game: GameSnapshot): void {
    const then = this.parts.replayer.withClocks(game, this.parts.navigation.ply(game.moves.length));
    this.parts.clocks.tick(then, then === game ? this.parts.seat.side() : null);
  }

  private tick(): void {
    const { game } = this.store;
    if (game === null) return;
    this.showClocks(game);
    const awaited_ms = firstMoveLeft_ms(game, this.app.socket.time.now());
    if (this.parts.absence.left_ms(Date.now()) !== null || awaited_ms !== null) this.app.changed();
    const waiting = game.status !== 'over' && this.parts.seat.ownSides().includes(game.turn) && this.store.awaitsLegal();
    if (this.legalMovesTimeout.isExpired(waiting && this.app.socket.state === 'open', Date.now())) {
      this.subscription.refresh();
      this.parts.laws?.refresh();
    }
    this.parts.laws?.tick(game);
  }

  /** The first page of a visit contains its game's snapshot. */
  private startFromPage(): void {
    document.title = say('app.title', { page: say('game.title.none') });
    const found = embeddedSnapshot(this.id);
    if (found === null) this.missing = true;
    if (!found) return;
    if (found.clock) this.app.socket.time.adjust(found.clock.at);
    this.take({ ...found });
  }

  private take(message: GameMessage): TakeResult {
    if (message.t === 'error') {
      this.missing = true;
      return 'done';
    }
    if (this.parts.chat.take(message, () => this.app.sounds.play('message'))) return 'done';
    // A provisional game is no earlier state of this one.
    const was = this.store.guessed ? null : this.store.game;
    const side = this.parts.seat.side();
    const news = was && side ? noticeOf(message, was, side) : null;
    this.parts.access.take(message, news);
    const taken = this.store.take(message);
    const now = this.store.game;
    if (taken === 'done' && news !== null) this.parts.notices.tell(news);
    if (taken === 'done' && was !== null && now !== null) this.parts.laws?.take(message, was, now);
    if (now !== null && now !== was) this.changed(was, now);
    return taken;
  }

  private changed(was: GameSnapshot | null, now: GameSnapshot): void {
    if (was === null || was.fen !== now.fen) this.parts.mover.gameBoard.begin(now, () => this.app.changed());
    if (was === null && this.parent === null) this.parts.navigation.begin(plyOfHash(location.hash) ?? Infinity, now.moves.length);
    if (was === null && this.replays) this.parts.replayer.play(now, { clocksRun: false });
    if (was === null || namesIn(was) !== namesIn(now)) this.entitle(now);
    this.parts.mover.follow(was, now);
    if (was || !this.parent) this.parts.soundCues.gameChanged(was, now, this.parts.seat.ownSides());
    if (now.simul !== null) void this.join(now.simul);
    if (now.status === 'over') this.ended(was, now);
    if (was && now.next && !was.next && this.parts.seat.ownSides().length > 0) {
      const { next } = now;
      queueMicrotask(() => this.app.navigate(`/game/${next}`));
    }
  }

  private ended(was: GameSnapshot | null, now: GameSnapshot): void {
    this.app.socket.games = this.app.socket.games.filter((g) => g !== this.id);
    if (was && was.status !== 'over' && (now.result !== '*' || now.no_show)) this.parts.mover.gameBoard.scrollIntoView();
    const tab = browserStorage('session');
    if (tab) countGame(tab, now);
  }

  /** Load the extension for a board of a simul. */
  private async join(simul: string): Promise<void> {
    if (this.extension !== null || this.joined !== null) return;
    this.joined = simul;
    const { PlayerExtension } = await import('../../simul/player/player-extension');
    if (this.closed) return;
    this.extension = new PlayerExtension(this.app, simul, this.id);
    this.app.changed();
  }

  private async loadLaws(): Promise<void> {
    if (this.loadsLaws) return;
    this.loadsLaws = true;
    try {
      const { LawsGame } = await import('../laws/laws-game');
      if (this.closed) return;
      this.parts.laws = new LawsGame(this.app, this.id, this.store, this.parts);
      this.app.changed();
    } catch {
      // Without a connection; the next draw tries again.
    } finally {
      this.loadsLaws = false;
    }
  }

  private entitle(game: GameSnapshot): void {
    if (this.parent === null) document.title = say('app.title', { page: `${namesIn(game)} · ${describeSides(game)}` });
  }

  /**
   * Look for another opponent on the same terms, with the colour and the ratings asked for before. After a game against a
   * robot that is one of another level.
   */
  private again(): void {
    const { game } = this.store;
    if (game === null) return;
    const robot = robotOf(game, this.parts.seat.side());
    if (robot !== null) return void this.app.create(robot);
    this.app.navigate('/');
    const { gameRequests } = this.app;
    void gameRequests.ask(gameRequests.recent.for(this.app.socket.user?.id, game) ?? newOpponentRequest(game, this.parts.seat.side()));
  }

  private create(): void {
    const { game } = this.store;
    if (game !== null) void this.app.create({ terms: termsAgain(game, this.parts.seat.side()) });
  }

  private rematch(): void {
    const { game } = this.store;
    if (game !== null) void this.parts.actions.rematch(game, this.parts.seat.side());
  }

  /** A link within the page, or an edited address. */
  private readonly onHashChange = (): void => {
    const ply = plyOfHash(location.hash);
    if (ply !== null && this.store.game) this.parts.navigation.go(ply, this.store.game.moves.length);
  };

  private flip(): void {
    this.parts.seat.flip();
    this.app.changed();
  }

  private escape(): void {
    if (this.parts.actions.cancel() || this.parts.laws?.cancel()) return;
    this.parts.mover.escape();
  }
}
