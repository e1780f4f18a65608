/** A player's part of a simul on the page of their game: where the host is, and the prepared move. */

import '../../styles/simuls.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { GameKind } from '../../board/core/game-kind';
import type { GameExtension } from '../../game/play/extension';
import type { Color, GameSnapshot, Outgoing, SimulBoard, SimulMessage, SimulSnapshot } from '../../net/protocol';
import type { Subscription } from '../../net/subscriptions';
import { placement } from '../../notation/pieces';
import { writePlain } from '../../notation/write-move';
import { icon } from '../../ui/icons';
import type { FollowedSimul } from '../../ui/page';
import { personName, personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { boardsUntil, heldAt, othersWaiting, prepares, secondsUntil, waitingLonger } from '../state/host-distance';
import { actsAsHost, SimulStore } from '../state/simul-store';
import { delayNotice } from '../text/delay-notice';
import { pausedText } from '../text/paused-text';
import { preparedMarks } from './prepared-marks';

const BEAT_MS = 1_000;

export class PlayerExtension implements GameExtension {
  private readonly store: SimulStore;
  private readonly subscription: Subscription;
  private readonly ticker: ReturnType<typeof setInterval>;
  /** The game as the page has it. */
  private game: GameSnapshot | null = null;

  /** `g`: the game of the board. */
  constructor(
    private readonly app: App,
    private readonly simul: string,
    private readonly g: string,
  ) {
    const { time } = app.socket;
    this.store = new SimulStore(() => time.now());
    const take = (message: SimulMessage) => this.store.take(message);
    this.subscription = app.socket.subscribe(`simul:${simul}`, { seq: () => this.store.seq(), take }, {});
    this.ticker = setInterval(() => {
      const { now } = this.store;
      if (now?.countdown || now?.break_until) app.changed();
    }, BEAT_MS);
  }

  /** The host subscribes only to their current board, and counts as present while connected. */
  withPresence(game: GameSnapshot): GameSnapshot {
    const { now } = this.store;
    const color = this.store.boardOf(this.g)?.color;
    if (now === null || color === undefined || game.players[color].online === now.host_online) return game;
    return { ...game, players: { ...game.players, [color]: { ...game.players[color], online: now.host_online } } };
  }

  hosts(): boolean | null {
    const { now } = this.store;
    return now === null ? null : actsAsHost(now);
  }

  followed(): FollowedSimul {
    return { simul: this.simul, store: this.store };
  }

  close(): void {
    clearInterval(this.ticker);
    this.subscription.close();
  }

  mayMove(game: GameSnapshot): boolean {
    this.game = game;
    return true;
  }

  /** While the host is elsewhere, a move is prepared. */
  replaceMove(move: string, ply: number): Outgoing | null {
    const own = this.own();
    if (own === null || !prepares(own.now, own.board, heldAt(own.board, this.game))) return null;
    return this.prepare(move, ply);
  }

  /** The host may come or go while a move is on its way: prepare what could not be played, and vice versa. */
  afterConflict(asked: Outgoing, move: string, ply: number): Outgoing | null {
    if (this.own()?.now.mode !== 'round' || this.store.now?.break_until != null) return null;
    return asked.t === 'move' ? this.prepare(move, ply) : { t: 'move', g: this.g, move, ply };
  }

  boardMarks(bottom: Color, kind: GameKind): TemplateResult | typeof nothing {
    const move = this.ready();
    return move === null ? nothing : preparedMarks(move, bottom, kind);
  }

  strip(game: GameSnapshot): TemplateResult | typeof nothing {
    const { now } = this.store;
    const board = this.store.boardOf(this.g);
    if (now === null || board === undefined) return nothing;
    const own = this.own() !== null;
    return html`<section class="simul-strip" aria-label=${say('simul.strip')} data-testid="simul-strip">
      <p class="simul-strip-title">
        <a href="/simul/${this.simul}" data-page>${now.name}</a> · ${say('simul.board', { n: board.board })} · ${personName(now.host)}
      </p>
      ${game.status === 'over'
        ? nothing
        : html`<p role="status" class=${own && this.here(now, board, game) ? 'simul-yours' : ''} data-testid="simul-where">${this.where(now, board, game, own)}</p>`}
      ${this.acting(now, game)}
      ${own && game.status !== 'over' ? this.doing(now, board, game) : nothing} ${delayNotice(now)}
    </section>`;
  }

  /** Who plays for the host. The status is in the page before, so that screen readers speak it. */
  private acting({ acting, stand_in, host }: SimulSnapshot, game: GameSnapshot): TemplateResult {
    const names = acting && stand_in && game.status !== 'over' ? { name: personText(stand_in), host: personText(host) } : null;
    return html`<p role="status" class=${names === null ? 'unseen' : ''} data-testid=${names === null ? nothing : 'simul-acting'}>
      ${names === null ? nothing : say('simul.stand-in.plays', names)}
    </p>`;
  }

  /** Where the host is, or why the simul is paused. */
  private where(now: SimulSnapshot, board: SimulBoard, game: GameSnapshot, own: boolean): string {
    const stands = pausedText(now);
    if (stands !== null) return stands;
    if (now.mode === 'clock') return this.elsewhere(now, board, own);
    const { countdown } = now;
    if (countdown?.board === board.board) {
      const n = secondsUntil(countdown.until, this.app.socket.time.now());
      return say(own ? 'simul.countdown.you' : 'simul.countdown.other', { n });
    }
    const until = boardsUntil(now, board.board);
    if (until === 0) return own ? this.atHand(board, game) : say('simul.here.other');
    const away = until === null ? '' : say('simul.until', { n: until });
    return [this.at(now) ?? say('simul.between'), away].filter(Boolean).join(' ');
  }

  /** In `clock` mode. */
  private elsewhere(now: SimulSnapshot, board: SimulBoard, own: boolean): string {
    const { boards } = this.store;
    if (now.at === board.board) return say(own ? 'simul.here.own' : 'simul.here.other');
    const before = waitingLonger(boards.values(), board, now.at);
    const others = othersWaiting(boards.values(), board.board);
    const queue =
      before !== null
        ? say(before > 0 ? 'simul.before' : 'simul.before.none', { n: before })
        : say(others > 0 ? 'simul.others' : 'simul.others.none', { n: others });
    return [this.at(now), queue].filter(Boolean).join(' ');
  }

  /** The host's board and its player; null if the host has not said. */
  private at({ at }: SimulSnapshot): string | null {
    if (at === null) return null;
    const user = this.store.boards.get(at)?.user;
    return user === undefined ? say('simul.at.unnamed', { n: at }) : say('simul.at', { n: at, name: personText(user) });
  }

  /** The host is at the player's board. */
  private atHand(board: SimulBoard, game: GameSnapshot): string {
    const held = heldAt(board, game);
    if (board.turn === 'host') return say(held === 'round' ? 'simul.coming' : 'simul.here.thinks');
    return say(held === 'round' ? 'simul.lingers' : 'simul.here.you');
  }

  /** Whether the host is there and waits for the player. */
  private here(now: SimulSnapshot, board: SimulBoard, game: GameSnapshot): boolean {
    const here = now.mode === 'round' && now.at === board.board && heldAt(board, game) !== 'round';
    return here && board.turn === 'player' && pausedText(now) === null;
  }

  private doing(now: SimulSnapshot, board: SimulBoard, game: GameSnapshot): TemplateResult | typeof nothing {
    if (now.mode !== 'round' || board.turn !== 'player') return nothing;
    const move = this.ready();
    if (move !== null) {
      const text = writePlain(move, placement(game.position), this.app.settings.now);
      return html`<p class="offer" data-testid="prepared">
        <span>${say('simul.ready', { move: text })}</span>
        <span class="answers">
          <button data-testid="withdraw" title=${say('simul.withdraw')} @click=${() => this.withdraw(game)}>
            ${icon('cross')}<span>${say('simul.withdraw')}</span>
          </button>
        </span>
      </p>`;
    }
    if (prepares(now, board, heldAt(board, game))) return html`<p class="hint">${say('simul.prepare')}</p>`;
    const left = now.passes_left ?? board.passes ?? 0;
    if (left === 0 || now.break_until !== null) return nothing;
    return html`<button data-testid="pass" @click=${() => this.ask({ t: 'simul.pass' })}>${say('simul.pass', { n: left })}</button>`;
  }

  private prepare(move: string, ply: number): Outgoing {
    return { t: 'simul.prepare', simul: this.simul, g: this.g, ply, move };
  }

  private withdraw(game: GameSnapshot): void {
    void this.ask({ t: 'simul.prepare', ply: game.moves.length, move: null });
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul, g } = this;
    return app.attempt(() => app.socket.change({ ...message, simul, g }));
  }

  /** The prepared move, if it is for the current position. */
  private ready(): string | null {
    const own = this.own();
    const prepared = own?.now.prepared;
    return prepared && own.board.status !== 'over' && prepared.ply === own.board.ply ? prepared.move : null;
  }

  /** The board, if the person plays at it. */
  private own(): { now: SimulSnapshot; board: SimulBoard } | null {
    const { now } = this.store;
    const board = this.store.boardOf(this.g);
    return now !== null && board !== undefined && now.you === 'player' && now.your_board === board.board ? { now, board } : null;
  }
}
