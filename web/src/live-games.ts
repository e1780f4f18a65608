/** Games being played now, asked for anew every few seconds while somebody looks. */

import { html, type TemplateResult } from 'lit-html';
import type { ServerTime } from './clock';
import { liveList } from './live-list';
import type * as wire from './protocol';
import { say } from './words';

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
    return liveList(this.games, this.time);
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
