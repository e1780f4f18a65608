/** What the host can do at the board that is shown large, beside moving. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Beside } from '../game/beside';
import type { GameSnapshot, Outgoing, SimulBoard, SimulSnapshot } from '../protocol';
import { say } from '../words';
import { secondsUntil } from './distance';
import type { Exhibition } from './exhibition';

export class HostStrip implements Beside {
  /** Whether the ways to end the board are laid out, and of which board. */
  private ending: number | null = null;
  /** The board of which a note is begun. */
  private noting: number | null = null;

  constructor(
    private readonly app: App,
    private readonly simul: string,
    private readonly exhibition: Exhibition,
  ) {}

  /** In a round the host is announced before he is there: until then a move of his would be refused. */
  free(game: GameSnapshot): boolean {
    return this.exhibition.now?.mode !== 'round' || game.clock?.held !== 'round';
  }

  instead(): null {
    return null;
  }

  marks(): typeof nothing {
    return nothing;
  }

  close(): void {
    // Nothing is held.
  }

  strip(game: GameSnapshot): TemplateResult | typeof nothing {
    const { now } = this.exhibition;
    const board = this.exhibition.boardOf(game.g);
    if (now === null || board === undefined) return nothing;
    return html`<section class="simul-strip" aria-label=${say('simul.board', { n: board.board })} data-testid="simul-strip">
      <p class="simul-strip-title">
        <span><b>${say('simul.board', { n: board.board })}</b> ${handicap(board)}</span>
        <a href="/game/${board.g}" data-page title=${say('simul.game.long')}>${say('simul.game')}</a>
      </p>
      ${now.you === 'host' && now.status === 'running' ? this.tools(board) : nothing} ${this.here(now, board)}
    </section>`;
  }

  /** What goes on at the board besides the game. */
  private here({ countdown, at, mode, you }: SimulSnapshot, { board, turn, status }: SimulBoard): TemplateResult | typeof nothing {
    if (status === 'over') return nothing;
    if (countdown?.board === board) {
      const n = secondsUntil(countdown.until, this.app.socket.time.now());
      return html`<p role="status" data-testid="simul-countdown">${say('simul.countdown.other', { n })}</p>`;
    }
    if (mode !== 'round' || you !== 'host') return nothing;
    if (at !== board) return html`<p role="status">${say('simul.going')}</p>`;
    return turn === 'player' ? html`<p role="status">${say('simul.waits.here')}</p>` : nothing;
  }

  private tools(board: SimulBoard): TemplateResult {
    const over = board.status === 'over';
    const noting = this.noting === board.board || this.noteOf(board) !== '';
    const note = () => this.write(board.board);
    return html`<div class="simul-tools">
        ${over
          ? nothing
          : html`<button data-testid="later" aria-pressed=${String(board.later ?? false)} title=${say('simul.later.long')} @click=${() => this.later(board)}>
              ${say('simul.later')}
            </button>
            <button
              data-testid="adjudicate"
              aria-expanded=${String(this.ending === board.board)}
              @click=${() => this.open(this.ending === board.board ? null : board.board)}
            >
              ${say('simul.adjudicate')}
            </button>`}
        ${noting ? nothing : html`<button data-testid="note-open" @click=${note}>${say('simul.note.do')}</button>`}
      </div>
      ${over || this.ending !== board.board ? nothing : this.ends(board)} ${noting ? this.note(board) : nothing}`;
  }

  private ends(board: SimulBoard): TemplateResult {
    const end = (result: string, name: string, text: string) =>
      html`<button data-testid="end-${name}" @click=${() => this.adjudicate(board, result)}>${text}</button>`;
    return html`<div class="simul-tools">
      ${end('1/2-1/2', 'draw', say('simul.end.draw'))}
      ${end(board.color === 'w' ? '0-1' : '1-0', 'resign', say('simul.end.resign'))}
      ${board.status === 'created' ? end('*', 'abort', say('simul.end.abort')) : nothing}
    </div>`;
  }

  /** The host's own words about the board; sent when he leaves the field. */
  private note(of: SimulBoard): TemplateResult {
    const { board } = of;
    const note = this.noteOf(of);
    return html`<input
      class="simul-note"
      type="text"
      maxlength="200"
      data-testid="note"
      aria-label=${say('simul.note', { n: board })}
      placeholder=${say('simul.note.short')}
      .value=${note}
      @change=${(event: Event) => this.ask({ t: 'simul.edit', board, note: (event.target as HTMLInputElement).value.trim() })}
    />`;
  }

  private noteOf({ board }: SimulBoard): string {
    return this.exhibition.now?.notes?.[String(board)] ?? '';
  }

  private write(board: number): void {
    this.noting = board;
    this.app.changed();
  }

  private later({ board }: SimulBoard): void {
    void this.ask({ t: 'simul.later', board });
  }

  private adjudicate({ g }: SimulBoard, result: string): void {
    this.open(null);
    void this.ask({ t: 'simul.adjudicate', g, result });
  }

  private open(board: number | null): void {
    this.ending = board;
    this.app.changed();
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul } = this;
    return app.attempt(() => app.socket.change({ ...message, simul }));
  }
}

function handicap({ player_extra_s, host_extra_s }: SimulBoard): string {
  return [
    player_extra_s ? say('simul.extra.player', { n: player_extra_s }) : '',
    host_extra_s ? say('simul.extra.host', { n: host_extra_s }) : '',
  ]
    .filter(Boolean)
    .map((text) => `· ${text}`)
    .join(' ');
}
