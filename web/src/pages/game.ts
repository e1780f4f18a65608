/** A game: played by whoever holds a side of it, watched by everybody else. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { Access } from '../access/access';
import type { App, Page } from '../app';
import { Board } from '../board';
import { describe, left_ms } from '../clock';
import { about } from '../game/about';
import { AboutPlayer } from '../game/about-player';
import { ActionBar } from '../game/actions';
import { Awake } from '../game/awake';
import { boardView } from '../game/board-view';
import { keepsAhead, sameMoves } from '../game/course';
import { Chat } from '../game/chat';
import { Claimable } from '../game/claimable';
import { ClockFace, low_ms } from '../game/clock-face';
import { Departure } from '../game/departure';
import { embeddedSnapshot } from '../game/embedded';
import { Hand } from '../game/hand';
import { Heard } from '../game/heard';
import { Looking } from '../game/looking';
import { count, matchScore } from '../game/match';
import { material } from '../game/material';
import { InSight, movesList, stepper } from '../game/moves-list';
import { Overdue } from '../game/overdue';
import { News, newsOf } from '../game/news';
import { resultOverlay } from '../game/overlay';
import { playerRow } from '../game/players';
import { promotionChooser } from '../game/promotion';
import { fenOf, Replay } from '../game/replay';
import { Settling } from '../game/settling';
import { shelf, turns } from '../game/shelf';
import { absent, confirmation, ending, standing } from '../game/state';
import { Steps } from '../game/steps';
import { Tools } from '../game/tools';
import { destinations, type Destinations } from '../moves';
import { joining } from '../lobby/pool-wait';
import { POOLS, Refused, type Color, type GameSnapshot, type Incoming, type User } from '../protocol';
import { confirmsMoves, keepsStill } from '../settings';
import { GameStore, opposite, type Taken } from '../store';
import { presetControl } from '../tempo';
import { say } from '../words';

const CLOCK_EVERY_MS = 100;

export class GamePage implements Page {
  private readonly store = new GameStore();
  private readonly board = new Board((moves, ahead) => this.dropped(moves, ahead));
  private readonly hand = new Hand((move) => void this.send(move));
  private readonly looking = new Looking(() => this.app.changed());
  private readonly departure = new Departure();
  private readonly awake = new Awake();
  private readonly faces: Record<Color, ClockFace>;
  private readonly noises: Heard;
  private readonly chat: Chat;
  private readonly aboutPlayer: (user: User, color: Color) => TemplateResult;
  private readonly actions: ActionBar;
  private readonly access: Access;
  private readonly tools: Tools;
  private readonly steps: Steps;
  private readonly subscription;
  private readonly beat: ReturnType<typeof setInterval>;
  private replay = new Replay(null);
  private claimable = new Claimable(this.replay);
  private missing = false;
  /** The line was open while this page was: who the person is, is known. */
  private greeted = false;
  private flipped = false;
  /** The result is over the board; only when the game ended under the person's eyes. */
  private overlaid = false;
  private legal: { told: string[]; destinations: Destinations } | null = null;
  private readonly overdue = new Overdue();
  private readonly inSight = new InSight();
  private readonly news = new News(() => this.app.changed());
  private readonly settling = new Settling(() => this.app.changed());
  /** The move for which the person was brought to the question whether he means it. */
  private askedFor: string | null = null;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    const { time } = app.socket;
    this.faces = { w: new ClockFace('w', time), b: new ClockFace('b', time) };
    this.noises = new Heard(app.sounds);
    const about = new AboutPlayer(app, id);
    this.aboutPlayer = (user, color) => about.draw(user, color);
    this.chat = new Chat(app, `game:${id}`);
    this.actions = new ActionBar(app, id, () => this.again());
    this.access = new Access({
      drop: (moves) => this.dropped(moves, false),
      ahead: (move) => this.moveAhead(move),
      confirm: (yes) => this.confirm(yes),
      choose: (letter) => this.choose(letter),
      send: (message) => void this.actions.send(message),
      again: () => this.again(),
      rematch: () => this.rematch(),
      flip: () => this.flip(),
      look: (ply) => this.looking.go(ply, this.store.game?.moves.length ?? 0),
      settings: () => app.settings.now,
      textMode: (on) => app.settings.set('textMode', on),
      changed: () => app.changed(),
    });
    this.tools = new Tools(app, () => this.flip());
    this.steps = new Steps(this.board.element, this.looking, {
      plies: () => this.store.game?.moves.length ?? null,
      flip: () => this.flip(),
      zen: () => app.settings.set('zen', !app.settings.now.zen),
      escape: () => this.escape(),
      typing: () => (app.settings.now.textMode ? null : (document.querySelector<HTMLInputElement>('.typing input') ?? null)),
    });
    // Before Chessground has it.
    this.board.element.addEventListener('pointerdown', (event) => this.touched(event), { capture: true });
    document.title = say('app.title', { page: say('game.title.none') });
    this.startFromPage();
    const topic = { seq: () => this.store.seq(), take: (message: Incoming) => this.take(message) };
    this.subscription = app.socket.subscribe(`game:${id}`, topic, { legal: true });
    this.beat = setInterval(() => this.tick(), CLOCK_EVERY_MS);
  }

  close(): void {
    clearInterval(this.beat);
    this.subscription.close();
    this.steps.close();
    this.access.close();
    this.awake.close();
    this.news.close();
    this.inSight.close();
    this.tools.close();
    this.board.close();
    delete document.documentElement.dataset.zen;
  }

  yourMove(): boolean {
    const own = this.own();
    return this.playing() && own.length === 1 && own[0] === this.store.game?.turn;
  }

  playing(): boolean {
    const { game } = this.store;
    return game !== null && game.status !== 'over' && this.own().length > 0;
  }

  draw(root: HTMLElement): void {
    const { game } = this.store;
    if (game === null) {
      render(absent(this.missing), root);
      return;
    }
    const settings = this.app.settings.now;
    const own = this.own();
    const bottom = this.bottom(own, game);
    const plies = game.moves.length;
    const shown = this.looking.ply(plies);
    const go = (ply: number) => this.looking.go(ply, plies);
    this.departure.note(game, this.store.left, own.length === 1 ? opposite(own[0]!) : null, Date.now());
    this.showBoard(game, own, bottom, shown);
    this.awake.hold(this.playing());
    document.documentElement.dataset.zen = String(settings.zen && this.playing());
    this.showAccess(game, own, bottom, shown);
    if (settings.textMode) {
      const chat = own.length === 2 ? nothing : this.chat.draw(game.you === null ? 'spectators' : 'players');
      render(this.access.page(this.confirmation(game), chat), root);
      return;
    }
    const claimable = own.length === 1 && game.status === 'live' && this.claimable.in(game);
    render(
      html`${this.access.door()}
        <div class="game" data-testid="game" data-status=${game.status} data-seq=${game.seq}>
        ${this.player(game, opposite(bottom), 'top', shown)}
        <div class="field">
          ${this.board.element} ${this.access.overlay()} ${promotionChooser(this.hand.choosing, bottom, (letter) => this.choose(letter))}
          ${this.overlaid ? this.overlay(game, own) : nothing}
        </div>
        ${this.player(game, bottom, 'bottom', shown)}
        <div class="sheet">
          ${movesList(game, shown, settings.letters, go)} ${stepper(plies, shown, go)} ${ending(game)}
          ${this.actions.draw({
            game,
            own,
            claimable,
            departure: this.departure,
            asked: this.confirmation(game),
            news: this.news.text,
            standing: standing(game),
            leaveZen: settings.zen && this.playing() ? () => this.app.settings.set('zen', false) : null,
          })}
          ${this.playing() ? this.access.input() : nothing}
        </div>
        <aside class="beside">
          ${about({ game, own, score: this.score(game, own), tools: this.tools.draw(game), changed: () => this.app.changed() })}
          ${own.length === 2 ? nothing : this.chat.draw(game.you === null ? 'spectators' : 'players')}
        </aside>
      </div>`,
      root,
    );
    this.tickClocks(game);
    this.settling.sweep();
    this.inSight.keep(root, [plies, shown].join());
    this.chat.keep();
    this.toQuestion();
  }

  /** Who plays by hand says yes with Enter; who types says it where he types. */
  private toQuestion(): void {
    const { asking } = this.hand;
    if (asking === this.askedFor) return;
    this.askedFor = asking;
    if (asking === null || document.activeElement?.closest('input, [role=grid]')) return;
    document.querySelector<HTMLElement>('[data-testid=confirm-yes]')?.focus({ preventScroll: true });
  }

  /** A hand on the board: keys are for the game again, and a move that waits for a yes is taken back. */
  private touched(event: PointerEvent): void {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (event.button === 0 && this.hand.asking !== null) this.confirm(false);
  }

  private confirmation(game: GameSnapshot): TemplateResult | typeof nothing {
    const board = this.replay.at(game.moves.length, game.moves);
    return confirmation(this.hand.asking, board, this.app.settings.now.letters, (yes) => this.confirm(yes));
  }

  private confirm(yes: boolean): void {
    this.hand.answer(yes);
    if (!yes) this.board.restore();
    this.app.changed();
  }

  /** On the board, as if by hand; it is played from there. */
  private moveAhead(move: string | null): boolean {
    const { game } = this.store;
    this.app.changed();
    if (move === null || game === null) {
      this.board.forget();
      return move === null;
    }
    this.looking.live();
    const own = this.own();
    this.showBoard(game, own, this.bottom(own, game), game.moves.length);
    return this.board.moveAhead(move);
  }

  private overlay(game: GameSnapshot, own: Color[]): TemplateResult {
    const me = own.length === 1 ? own[0]! : null;
    return resultOverlay(game, me, this.score(game, own), {
      close: () => {
        this.overlaid = false;
        this.app.changed();
      },
      settled: this.settling.has('overlay'),
      rematch: own.length > 0 ? () => void this.actions.rematch(game, me) : null,
      again: me === null ? null : () => this.again(),
    });
  }

  private player(game: GameSnapshot, color: Color, place: 'top' | 'bottom', shown: number): TemplateResult {
    const own = this.own();
    const more = own.length === 1 && own[0] !== color ? this.actions.moreTime(game, own) : nothing;
    const board = this.replay.at(shown, game.moves);
    return playerRow({ game, color, place, material: material(board)[color], clock: this.faces[color], more, about: this.aboutPlayer });
  }

  private tick(): void {
    const { game } = this.store;
    if (game === null) return;
    this.tickClocks(game);
    if (this.departure.left_ms(Date.now()) !== null) this.app.changed();
    const waiting = game.status !== 'over' && this.own().includes(game.turn) && this.store.moves() === null;
    if (this.overdue.is(waiting && this.app.socket.line === 'open', Date.now())) this.subscription.refresh();
  }

  private tickClocks(game: GameSnapshot): void {
    const own = this.own();
    for (const color of ['w', 'b'] as const) {
      const ms = this.faces[color].update(game, this.app.settings.now.clockTenths);
      const mine = own.length === 1 && own[0] === color && game.clock?.run === color && game.status !== 'over';
      if (mine && ms < low_ms(game.tc)) this.noises.low();
    }
  }

  /** The sides the person plays. Until the server has greeted him the snapshot says it. */
  private own(): Color[] {
    const { game } = this.store;
    const { line, user } = this.app.socket;
    this.greeted ||= line === 'open';
    if (user !== null || this.greeted || !game?.you) return this.store.sides(user?.id);
    return this.store.sides(game.players[game.you].user?.id);
  }

  private bottom(own: Color[], game: GameSnapshot): Color {
    // With both sides on one screen the board stays as White sees it, unless it is to turn.
    const usual = own.length === 1 ? own[0]! : own.length === 2 && turns() ? game.turn : 'w';
    return this.flipped ? opposite(usual) : usual;
  }

  /** What keyboard and ear have of the game. */
  private showAccess(game: GameSnapshot, own: Color[], bottom: Color, shown: number): void {
    const { board, hand } = this;
    const live = shown === game.moves.length;
    this.access.show({
      game,
      own,
      bottom,
      shown,
      position: live ? game.position : fenOf(this.replay.at(shown, game.moves)),
      legal: game.clock?.held === 'pause' || hand.sent !== null ? null : (this.legal?.told ?? null),
      underway: hand.sent?.move ?? null,
      premove: board.premove,
      asking: hand.asking,
      choosing: hand.choosing,
      away_ms: this.departure.left_ms(Date.now()),
      left_ms: (color) => game.clock && left_ms(game.clock, color, this.app.socket.time.now()),
      ahead: () => board.ahead(),
    });
  }

  private showBoard(game: GameSnapshot, own: Color[], bottom: Color, shown: number): void {
    const settings = this.app.settings.now;
    const told = own.includes(game.turn) ? this.store.moves() : null;
    if (told === null) this.legal = null;
    else if (this.legal?.told !== told) this.legal = { told, destinations: destinations(told, game) };
    this.board.handle({ input: settings.moveInput, animation_ms: keepsStill(settings) ? 0 : settings.animation });
    const { replay, hand } = this;
    const targets = this.legal?.destinations ?? null;
    this.board.show(
      boardView({ game, own, bottom, shown, replay, hand, destinations: targets, premove: settings.premove }),
    );
  }

  /** The first page of a visit has its game's snapshot in it. */
  private startFromPage(): void {
    const found = embeddedSnapshot(this.id);
    if (found === null) this.missing = true;
    if (!found) return;
    if (found.clock) this.app.socket.time.hear(found.clock.at);
    this.take({ ...found });
  }

  private take(message: Incoming): Taken {
    if (message.t === 'error') {
      this.missing = true;
      return 'done';
    }
    if (this.chat.take(message, () => this.app.sounds.play('message'))) return 'done';
    this.access.take(message);
    const was = this.store.game;
    const own = this.own();
    const news = was && own.length === 1 ? newsOf(message, was, own[0]!) : null;
    const taken = this.store.take(message);
    const now = this.store.game;
    if (taken === 'done' && news !== null) this.news.tell(news);
    if (now !== null && now !== was) this.changed(was, now);
    return taken;
  }

  private changed(was: GameSnapshot | null, now: GameSnapshot): void {
    if (was === null || was.fen !== now.fen) {
      this.replay = new Replay(now.fen);
      this.claimable = new Claimable(this.replay);
      this.entitle(now);
    }
    // A snapshot tells moves again that are known: then all that the hand holds still stands.
    if (was && !sameMoves(was.moves, now.moves)) {
      if (!keepsAhead(was, now, this.own(), this.hand.sent?.move ?? null)) this.board.forget();
      this.hand.clear();
      if (this.own().length > 0) this.looking.live();
    }
    this.noises.change(was, now, this.own());
    if (now.status === 'over') {
      this.hand.clear();
      this.board.forget();
      this.app.socket.games = this.app.socket.games.filter((g) => g !== this.id);
      if (was && was.status !== 'over' && now.result !== '*') this.lay();
      const tab = shelf('session');
      if (tab) count(tab, now);
    }
    if (was && now.next && !was.next && this.own().length > 0) {
      const { next } = now;
      queueMicrotask(() => this.app.navigate(`/game/${next}`));
    }
  }

  /** Put the result over the board, and the board in sight. */
  private lay(): void {
    this.overlaid = true;
    const behavior = keepsStill(this.app.settings.now) ? 'instant' : 'smooth';
    requestAnimationFrame(() => this.board.element.scrollIntoView({ block: 'nearest', behavior }));
  }

  private entitle(game: GameSnapshot): void {
    const name = (color: Color) => game.players[color].user?.name ?? say('nobody');
    const page = say('game.title', { white: name('w'), black: name('b') });
    document.title = say('app.title', { page: `${page} · ${describe(game.tc)}` });
  }

  private score(game: GameSnapshot, own: Color[]): string | null {
    const tab = shelf('session');
    return tab && own.length < 2 ? matchScore(tab, game, own[0] ?? 'w') : null;
  }

  private confirms(): boolean {
    return confirmsMoves(this.app.settings.now, this.store.game?.speed ?? '');
  }

  private dropped(moves: string[], ahead: boolean): void {
    const { autoQueen } = this.app.settings.now;
    this.looking.live();
    const queen = autoQueen === 'always' || (autoQueen === 'premove' && ahead);
    this.hand.drop(moves, { queen, confirm: !ahead && this.confirms() });
    this.app.changed();
  }

  private choose(letter: string | null): void {
    if (!this.hand.choose(letter, this.confirms())) this.board.restore();
    this.app.changed();
  }

  private async send(move: string): Promise<void> {
    const { game } = this.store;
    if (game === null) return;
    const ply = game.moves.length;
    const sent = (this.hand.sent = { move, ply });
    const target = this.replay.at(ply, game.moves).get(move.slice(2, 4));
    this.noises.down(ply, target !== undefined && target.color !== game.turn);
    this.app.changed();
    const lag = this.app.socket.time.lag();
    try {
      await this.app.socket.change({
        t: 'move',
        g: this.id,
        move,
        ply,
        seen: game.seq,
        ...(lag === null ? {} : { lag }),
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.app.say(say('game.refused', { why: error.message }));
      if (this.hand.sent === sent) {
        this.hand.clear();
        this.board.forget();
      }
      this.board.restore();
      this.app.changed();
    }
  }

  /** Look for another opponent, on the same terms. */
  private again(): void {
    const { game } = this.store;
    if (game === null) return;
    const { tc, variant, rated } = game;
    this.app.navigate('/');
    const pool = POOLS.find((name) => describe(presetControl(name)) === describe(tc));
    const seek = { t: 'seek', game: game.game, variant, rated, tc, color: 'random' };
    void this.app.asking.ask(pool !== undefined && variant === 'standard' ? joining(pool, rated) : seek);
  }

  private escape(): void {
    this.overlaid = false;
    this.board.forget();
    if (this.hand.choosing.length > 0 || this.hand.asking !== null) {
      this.hand.clear();
      this.board.restore();
    }
    this.app.changed();
  }

  private rematch(): void {
    const { game } = this.store;
    const own = this.own();
    if (game !== null) void this.actions.rematch(game, own.length === 1 ? own[0]! : null);
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.app.changed();
  }
}
