/** Ten pools, one click each: the click waits for an opponent there, another one stops. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import { POOLS, type PoolName } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { speedOf } from '../../time/speed';
import { nameOf, say } from '../../words/words';
import { joinPool } from '../waiting/pool-wait';

/** Members play rated unless they once chose not to. */
const CASUAL = 'quick.casual';

export class QuickGames {
  private casual = browserStorage('local')?.getItem(CASUAL) === 'true';

  constructor(private readonly app: App) {}

  draw(): TemplateResult {
    return html`<section class="quick" aria-labelledby="quick-title">
      <div class="quick-head">
        <h1 id="quick-title">${say('quick.title')}</h1>
        ${this.mayRate() ? this.ratedChoice() : nothing}
      </div>
      <div class="tiles">${POOLS.map((pool) => this.tile(pool))}</div>
      <p class="hint">${say(this.rated() ? 'quick.hint.rated' : 'quick.hint.casual')}</p>
    </section>`;
  }

  private tile(pool: PoolName): TemplateResult {
    const speed = nameOf('speed', speedOf(presetControl(pool)));
    const waits = this.app.pool.now?.pool === pool;
    const waiting = waits || this.app.gameRequests.isUnderway(joinPool(pool, this.rated()));
    return html`<button
      class="tile"
      data-testid="quick-${pool}"
      aria-pressed=${waiting ? 'true' : 'false'}
      aria-label=${say(waiting ? 'quick.stop' : 'quick.play', { tempo: pool, speed })}
      @click=${({ detail }: MouseEvent) => detail > 1 || this.click(pool, waits)}
    >
      <strong>${pool}</strong> <small>${waiting ? say('quick.waiting') : speed}</small>
    </button>`;
  }

  /** The second click of a double click is none: it would stop what the first one began. */
  private click(pool: PoolName, waits: boolean): void {
    if (waits) this.app.pool.leave();
    else void this.app.gameRequests.ask(joinPool(pool, this.rated()));
  }

  private ratedChoice(): TemplateResult {
    const turn = (event: Event) => {
      this.casual = !(event.target as HTMLInputElement).checked;
      try {
        browserStorage('local')?.setItem(CASUAL, String(this.casual));
      } catch {
        // The browser is full: the next visit begins with rated games.
      }
      this.app.changed();
      // Who waits goes on waiting, for what the switch says now.
      const { now } = this.app.pool;
      if (now !== null) void this.app.gameRequests.ask(joinPool(now.pool, !this.casual));
    };
    return html`<label class="box"
      ><input type="checkbox" role="switch" data-testid="quick-rated" .checked=${live(this.rated())} @change=${turn} />
      ${say('quick.rated')}</label
    >`;
  }

  private rated(): boolean {
    if (!this.mayRate()) return false;
    const { gameRequests, pool } = this.app;
    // What he waits for may have been chosen in another tab.
    const chosen = pool.now === null || gameRequests.isUnderway(joinPool(pool.now.pool, !this.casual));
    return chosen ? !this.casual : pool.now!.rated;
  }

  private mayRate(): boolean {
    return (this.app.socket.user?.kind ?? 'guest') !== 'guest';
  }
}
