/** Games being played now, asked for anew every few seconds while somebody looks. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { describe, format_ms, left_ms } from './clock';
import { miniBoard } from './mini-board';
import type * as wire from './protocol';
import type { ServerTime } from './clock';
import { nameOf, say } from './words';

/** Clocks are redrawn every beat, the list is asked for at every fourth: the server's is fresh to a second. */
const BEAT_MS = 1_000;
const BEATS_A_LOAD = 4;

export class LiveGames {
  private games: wire.LiveGame[] | null = null;
  private failed = false;
  private readonly beat: ReturnType<typeof setInterval>;

  constructor(
    private readonly limit: number,
    private readonly time: ServerTime,
    private readonly changed: () => void,
  ) {
    let beats = 0;
    this.beat = setInterval(() => {
      if (document.hidden) return;
      if (++beats % BEATS_A_LOAD === 0) void this.load();
      else if (this.games?.length) this.changed();
    }, BEAT_MS);
    void this.load();
  }

  close(): void {
    clearInterval(this.beat);
  }

  draw(): TemplateResult {
    if (this.games === null) return html`<p class="empty">${this.failed ? say('live.failed') : say('app.loading')}</p>`;
    if (this.games.length === 0) return html`<p class="empty" data-testid="no-live">${say('live.empty')}</p>`;
    return html`<ul class="live-games" data-testid="live">
      ${repeat(
        this.games,
        ({ g }) => g,
        (game) => html`<li>${this.item(game)}</li>`,
      )}
    </ul>`;
  }

  private item(game: wire.LiveGame): TemplateResult {
    return html`<a class="live-game" href="/game/${game.g}" data-page data-testid="live-game">
      ${this.player(game, 'b')} ${miniBoard(game.position, game.last)}
      ${this.player(game, 'w')}
      <span class="live-about"
        >${describe(game.tc)}${game.variant === 'standard' ? '' : ` · ${nameOf('variant', game.variant)}`}${game.watchers
          ? ` · ${say('count.watching', { n: game.watchers })}`
          : ''}</span
      >
    </a>`;
  }

  private player(game: wire.LiveGame, color: wire.Color): TemplateResult {
    const ms = game.clock ? left_ms(game.clock, color, this.time.now()) : null;
    return html`<span class="live-player" data-run=${String(game.clock?.run === color)}>
      <span class="live-name">${game.players[color].user.name}</span>
      ${ms === null ? nothing : html`<span class="live-time">${format_ms(Math.max(1000, ms))}</span>`}
    </span>`;
  }

  private async load(): Promise<void> {
    try {
      const response = await fetch(`/api/v1/games?live=1&limit=${this.limit}`);
      this.failed = !response.ok;
      if (response.ok) this.games = ((await response.json()) as wire.LiveGames).games;
    } catch {
      this.failed = true; // no network: the next beat tries again
    }
    this.changed();
  }
}
