/** Ten pools: a click joins, another click leaves. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import { POOLS, type PoolName } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { speedOf } from '../../time/speed';
import { nameOf, say } from '../../words/words';
import { joinPool } from '../waiting/pool-wait';

/** Members play rated unless they choose not to. */
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

  /** Ignores the second click of a double click, which would leave again. */
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
        // The storage is full: the next visit starts with rated games.
      }
      this.app.changed();
      // A waiting person goes on waiting with the new choice.
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
    // The pool may have been joined from another tab.
    const chosen = pool.now === null || gameRequests.isUnderway(joinPool(pool.now.pool, !this.casual));
    return chosen ? !this.casual : pool.now!.rated;
  }

  private mayRate(): boolean {
    return (this.app.socket.user?.kind ?? 'guest') !== 'guest';
  }
}
