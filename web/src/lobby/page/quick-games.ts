/** Ten pools of the chosen variant, with how many wait and play in each: a click joins, another click leaves. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import { POOLS, type PoolName } from '../../net/protocol';
import { presetControl } from '../../time/control-draft';
import { speedOf } from '../../time/speed';
import { DEFAULT_VARIANT } from '../../variants/registry';
import { nameOf, say } from '../../words/words';
import { joinPool } from '../waiting/pool-wait';
import { PoolVariant } from './pool-variant';
import { robotTile } from './robot-tile';

/** Members play rated unless they choose not to. */
const CASUAL = 'quick.casual';

export class QuickGames {
  private casual = browserStorage('local')?.getItem(CASUAL) === 'true';

  private readonly variants: PoolVariant;

  constructor(private readonly app: App) {
    this.variants = new PoolVariant(browserStorage('local'), () => app.changed());
  }

  draw(): TemplateResult {
    return html`<section class="quick" aria-labelledby="quick-title">
      <div class="quick-head">
        <h1 id="quick-title">${say('quick.title')}</h1>
        ${this.mayRate() ? this.ratedChoice() : nothing}
      </div>
      ${this.variants.draw()}
      <div class="pools">
        ${POOLS.map((pool) => this.tile(pool))}
        <a class="button tile worded" href="/?create" data-page data-testid="create">
          <strong>${say('create.custom')}</strong> <small>${say('create.title')}</small>
        </a>
        ${robotTile(this.app, this.variants.chosen)}
      </div>
      <p class="hint">${say(this.rated() ? 'quick.hint.rated' : 'quick.hint.casual', { variant: this.variants.name() })}</p>
    </section>`;
  }

  private tile(pool: PoolName): TemplateResult {
    const { now } = this.app.pool;
    const waits = now?.pool === pool && now.variant === this.variants.chosen;
    const waiting = waits || this.app.gameRequests.isUnderway(joinPool(pool, this.rated(), this.variants.chosen));
    const about = waits ? this.searching() : waiting ? say('quick.waiting') : nameOf('speed', speedOf(presetControl(pool)));
    const counts = this.counts(pool, waits);
    return html`<button
      class="tile"
      data-testid="quick-${pool}"
      aria-pressed=${waiting ? 'true' : 'false'}
      aria-label=${say(waiting ? 'quick.stop' : 'quick.play', { tempo: pool, about: [about, ...counts].join(' ') })}
      @click=${({ detail }: MouseEvent) => detail > 1 || this.click(pool, waits)}
    >
      <strong>${pool}</strong> <small>${about}</small>
      <small class="tile-counts" data-testid="counts-${pool}">${counts.map((count) => html`<span>${count}</span> `)}</small>
    </button>`;
  }

  /** How many others wait with the same choice, and how many people play, if any. */
  private counts(pool: PoolName, waits: boolean): string[] {
    const { chosen } = this.variants;
    const name = chosen === DEFAULT_VARIANT ? pool : `${chosen} ${pool}`;
    const [casual = 0, rated = 0, games = 0] = this.app.seeks.store.pools[name] ?? [];
    const others = (this.rated() ? rated : casual) - (waits && this.app.pool.now?.rated === this.rated() ? 1 : 0);
    return [...(others > 0 ? [say('quick.others', { n: others })] : []), ...(games > 0 ? [say('quick.playing', { n: 2 * games })] : [])];
  }

  private searching(): string {
    const { pool } = this.app;
    return pool.now?.rated ? `${say('quick.waiting')} ${say('pool.window', { n: pool.window() })}` : say('quick.waiting');
  }

  /** Ignores the second click of a double click, which would leave again. */
  private click(pool: PoolName, waits: boolean): void {
    if (waits) this.app.pool.leave();
    else void this.app.gameRequests.ask(joinPool(pool, this.rated(), this.variants.chosen));
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
      if (now !== null) void this.app.gameRequests.repeat(joinPool(now.pool, !this.casual, now.variant));
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
    const chosen = pool.now === null || gameRequests.isUnderway(joinPool(pool.now.pool, !this.casual, pool.now.variant));
    return chosen ? !this.casual : pool.now!.rated;
  }

  private mayRate(): boolean {
    return (this.app.socket.user?.kind ?? 'guest') !== 'guest';
  }
}
