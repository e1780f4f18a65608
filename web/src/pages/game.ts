/** A game: played by whoever holds a side of it, watched by everybody else. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { Access } from '../access/access';
import type { App, Page } from '../app';
import { Board } from '../board';
import { describe, format_ms, left_ms } from '../clock';
import { destinations, promotions, squares, type Destinations } from '../moves';
import { Refused, type Color, type GameSnapshot, type Incoming, type Outgoing } from '../protocol';
import { GameStore, opposite, type Taken } from '../store';
import { SIDES, variantName } from '../words';
import { ActionBar } from './actions';
import { endOf, scoreSheet } from './score-sheet';

const CLOCK_EVERY_MS = 100;
/** Legal moves are told unnumbered and may be lost; on one's own turn they are missed after this long. */
const MOVES_WITHIN_MS = 2_000;
const PIECES = { q: 'Queen', r: 'Rook', b: 'Bishop', n: 'Knight' } as const;

export class GamePage implements Page {
  private readonly store = new GameStore();
  private readonly board = new Board((moves) => this.dropped(moves));
  private readonly actions: ActionBar;
  private readonly access: Access;
  private readonly subscription;
  private readonly beat: ReturnType<typeof setInterval>;
  private missing: string | null = null;
  private choosing: string[] = [];
  private flipped = false;
  private legal: { told: string[]; destinations: Destinations } | null = null;
  private waitingSince: number | null = null;
  private followed = -1;

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    this.actions = new ActionBar(app, (message) => this.send(message));
    this.access = new Access({
      play: (move) => void this.play(move),
      drop: (moves) => this.dropped(moves),
      send: (message) => this.send(message),
      settings: () => app.settings.now,
      textMode: (on) => app.settings.set('textMode', on),
      changed: () => app.changed(),
    });
    const topic = { seq: () => this.store.seq(), take: (message: Incoming) => this.take(message) };
    this.subscription = app.socket.subscribe(`game:${id}`, topic, { legal: true });
    this.beat = setInterval(() => this.tick(), CLOCK_EVERY_MS);
    document.title = 'Game · Zeitnot';
  }

  close(): void {
    clearInterval(this.beat);
    this.subscription.close();
    this.access.close();
    this.board.close();
  }

  yourMove(): boolean {
    const { game } = this.store;
    return game !== null && game.status !== 'over' && this.own().length === 1 && this.own().includes(game.turn);
  }

  playing(): boolean {
    const { game } = this.store;
    return game !== null && game.status !== 'over' && this.own().length > 0;
  }

  draw(root: HTMLElement): void {
    const { game } = this.store;
    if (game === null) {
      render(this.before(), root);
      return;
    }
    const own = this.store.sides(this.app.socket.user?.id);
    const bottom = this.flipped ? opposite(this.side(own, game)) : this.side(own, game);
    this.showBoard(game, own, bottom);
    this.access.show({
      game,
      own,
      bottom,
      legal: this.legal?.told ?? null,
      left_ms: (color) => this.left_ms(game, color),
    });
    if (this.app.settings.now.textMode) {
      render(this.access.page(), root);
      return;
    }
    render(
      html`${this.access.door()}
        <div class="game" data-testid="game" data-status=${game.status} data-seq=${game.seq}>
        <div class="table">
          ${this.player(game, opposite(bottom))}
          <div class="field">${this.board.element} ${this.access.overlay()} ${this.chooser()}</div>
          ${this.player(game, bottom)} ${own.length > 0 ? this.access.input() : nothing}
        </div>
        <aside class="card">
          <p class="about">
            ${describe(game.tc)} · ${variantName(game.variant)} ·
            <span data-testid="watchers">${game.watchers} watching</span>
          </p>
          ${scoreSheet(game)}
          ${game.status === 'over'
            ? html`<p class="end" data-testid="end"><strong data-testid="result">${game.result}</strong> ${endOf(game)}</p>`
            : nothing}
          ${game.clock?.held ? html`<p class="held">The clocks stand: ${game.clock.held}.</p>` : nothing}
          ${this.actions.draw(game, own)}
          <div class="buttons quiet">
            <button data-testid="flip" @click=${() => this.flip()}>Turn the board</button>
          </div>
        </aside>
      </div>`,
      root,
    );
    this.follow(root, game.moves.length);
  }

  /** Keep the newest move in sight. */
  private follow(root: HTMLElement, plies: number): void {
    if (plies === this.followed) return;
    this.followed = plies;
    const sheet = root.querySelector('.score');
    if (sheet) sheet.scrollTop = sheet.scrollHeight;
  }

  private tick(): void {
    const { game } = this.store;
    if (game?.clock?.run) this.app.changed();
    const own = this.store.sides(this.app.socket.user?.id);
    const waiting = game !== null && game.status !== 'over' && own.includes(game.turn) && this.store.moves() === null;
    if (!waiting || this.app.socket.line !== 'open') {
      this.waitingSince = null;
    } else if (Date.now() - (this.waitingSince ??= Date.now()) > MOVES_WITHIN_MS) {
      this.waitingSince = null;
      this.subscription.refresh();
    }
  }

  private before(): TemplateResult {
    if (this.missing === null) return html`<p class="empty">Loading…</p>`;
    return html`<section class="card narrow"><h1>No such game</h1><p>${this.missing}</p></section>`;
  }

  private own(): Color[] {
    return this.store.sides(this.app.socket.user?.id);
  }

  private side(own: Color[], game: GameSnapshot): Color {
    // With both sides on one screen the board stays as White sees it.
    return own.length === 1 ? own[0]! : own.length === 0 ? 'w' : (game.you ?? 'w');
  }

  private showBoard(game: GameSnapshot, own: Color[], bottom: Color): void {
    const told = own.includes(game.turn) ? this.store.moves() : null;
    if (told === null) this.legal = null;
    else if (this.legal?.told !== told) this.legal = { told, destinations: destinations(told, game) };
    const last = game.moves.at(-1);
    this.board.show({
      fen: game.position,
      bottom,
      turn: game.turn,
      last: last === undefined ? [] : squares(last),
      check: /[+#]$/.test(game.notation.at(-1) ?? ''),
      destinations: this.legal?.destinations ?? null,
    });
  }

  private player(game: GameSnapshot, color: Color): TemplateResult {
    const { user, online } = game.players[color];
    const toMove = game.status !== 'over' && game.turn === color;
    return html`<div class="player ${toMove ? 'to-move' : ''}" data-testid="player-${color}">
      <span class="dot" data-online=${String(online ?? false)} title=${online ? 'here' : 'away'}></span>
      <span class="name">${user?.name ?? 'Nobody'}</span>
      <span class="side">${SIDES[color]}</span>
      ${this.clock(game, color)}
    </div>`;
  }

  private clock(game: GameSnapshot, color: Color): TemplateResult | typeof nothing {
    if (game.clock === null) return nothing;
    const ms = this.left_ms(game, color) ?? 0;
    const classes = `clock ${game.clock.run === color ? 'running' : ''} ${ms < 10_000 ? 'short' : ''}`;
    return html`<time class=${classes} role="timer" data-testid="clock-${color}">${format_ms(ms)}</time>`;
  }

  private left_ms({ clock }: GameSnapshot, color: Color): number | null {
    return clock && left_ms(clock, color, this.app.socket.time.at(Date.now()));
  }

  private chooser(): TemplateResult | typeof nothing {
    if (this.choosing.length === 0) return nothing;
    const color = SIDES[this.store.game?.turn ?? 'w'].toLowerCase();
    return html`<div class="promotion cg-wrap" role="dialog" aria-label="Promote to" @click=${() => this.choose(null)}>
      ${promotions(this.choosing).map((letter) => {
        const piece = PIECES[letter as keyof typeof PIECES];
        return html`<button
          data-testid="promote-${letter}"
          aria-label=${piece}
          @click=${(event: Event) => {
            event.stopPropagation();
            this.choose(letter);
          }}
        >
          <piece class="${piece.toLowerCase()} ${color}"></piece>
        </button>`;
      })}
    </div>`;
  }

  private take(message: Incoming): Taken {
    if (message.t === 'error') {
      this.missing = 'It may have been aborted before it began, or the link is not whole.';
      return 'done';
    }
    const before = this.store.game;
    const taken = this.store.take(message);
    const now = this.store.game;
    if (before && now && before.moves !== now.moves) this.choosing = [];
    if (now?.status === 'over') this.app.socket.games = this.app.socket.games.filter((g) => g !== this.id);
    if (before && now?.next && !before.next && this.store.sides(this.app.socket.user?.id).length > 0) {
      const { next } = now;
      queueMicrotask(() => this.app.navigate(`/game/${next}`));
    }
    return taken;
  }

  private dropped(moves: string[]): void {
    if (promotions(moves).length > 1) {
      this.choosing = moves;
      this.app.changed();
    } else {
      void this.play(moves[0]!);
    }
  }

  private choose(letter: string | null): void {
    const move = this.choosing.find((candidate) => letter !== null && candidate.endsWith(letter));
    this.choosing = [];
    if (move === undefined) this.board.restore();
    else void this.play(move);
    this.app.changed();
  }

  private async play(move: string): Promise<void> {
    const { game } = this.store;
    if (game === null) return;
    const lag = this.app.socket.time.lag();
    try {
      await this.app.socket.change({
        t: 'move',
        g: this.id,
        move,
        ply: game.moves.length,
        seen: game.seq,
        ...(lag === null ? {} : { lag }),
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.app.say(`The move does not stand: ${error.message}.`);
      this.board.restore();
    }
  }

  private send(message: Outgoing): void {
    void this.app.attempt(() => this.app.socket.change({ ...message, g: this.id }));
  }

  private flip(): void {
    this.flipped = !this.flipped;
    this.app.changed();
  }
}
