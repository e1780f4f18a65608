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
import { isCasual, keepCasual } from '../waiting/casual-choice';
import { joinPool } from '../waiting/pool-wait';
import { PoolVariant } from './pool-variant';
import { robotTile } from './robot-tile';
import { elsewhere, elsewhereText, type Choice } from './waiting-elsewhere';

export class QuickGames {
  private casual = isCasual();

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
        <a class="button tile worded" href=${`/?create${this.variants.chosen === DEFAULT_VARIANT ? '' : `=${this.variants.chosen}`}`} data-page data-testid="create">
          <strong>${say('create.custom')}</strong> <small>${say('create.title')}</small>
        </a>
        ${robotTile(this.app, this.variants.chosen)}
      </div>
      <p class="hint" data-testid="quick-hint">${this.hint()}</p>
    </section>`;
  }

  private tile(pool: PoolName): TemplateResult {
    const { now } = this.app.pool;
    const waits = now?.pool === pool && now.variant === this.variants.chosen;
    const waiting = waits || this.app.gameRequests.isUnderway(joinPool(pool, this.rated(), this.variants.chosen));
    const about = waiting ? say('quick.waiting') : nameOf('speed', speedOf(presetControl(pool)));
    const counts = this.counts(pool);
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
  private counts(pool: PoolName): string[] {
    const rated = this.rated();
    const others = this.others({ pool, rated });
    const apart = others > 0 ? 0 : this.others({ pool, rated: !rated });
    const [, , games = 0] = this.numbers(pool);
    return [
      ...(others > 0 ? [say('quick.others', { n: others })] : []),
      ...(apart > 0 ? [say(rated ? 'quick.others.casual' : 'quick.others.rated', { n: apart })] : []),
      ...(games > 0 ? [say('quick.playing', { n: 2 * games })] : []),
    ];
  }

  /** How many others wait with this choice. */
  private others({ pool, rated }: Choice): number {
    const { now } = this.app.pool;
    const mine = now?.pool === pool && now.rated === rated && now.variant === this.variants.chosen ? 1 : 0;
    return (this.numbers(pool)[rated ? 1 : 0] ?? 0) - mine;
  }

  private numbers(pool: PoolName): readonly number[] {
    const { chosen } = this.variants;
    return this.app.seeks.store.pools[chosen === DEFAULT_VARIANT ? pool : `${chosen} ${pool}`] ?? [];
  }

  /** What a click asks for; for whoever waits, how near the opponent's rating must be, or who waits for another game. */
  private hint(): TemplateResult {
    const { pool, socket } = this.app;
    const variant = this.variants.name();
    const { now } = pool;
    if (now === null || now.variant !== this.variants.chosen) {
      return hintText(say(this.rated() ? 'quick.hint.rated' : 'quick.hint.casual', { variant }));
    }
    const found = elsewhere(now, socket.time.now() - now.since, (choice) => this.others(choice));
    if (found !== null) return hintText('', elsewhereText(found, now, found.rated && !this.mayRate() ? null : () => this.move(found)));
    return hintText(now.rated ? say('quick.hint.near', { variant, n: pool.window() }) : say('quick.hint.casual', { variant }));
  }

  /** Wait for another game instead. */
  private move({ pool, rated }: Choice): void {
    if (this.mayRate()) this.choose(!rated);
    void this.app.gameRequests.repeat(joinPool(pool, rated, this.variants.chosen));
  }

  private choose(casual: boolean): void {
    this.casual = casual;
    keepCasual(casual);
    this.app.changed();
  }

  /** Ignores the second click of a double click, which would leave again. */
  private click(pool: PoolName, waits: boolean): void {
    if (waits) this.app.pool.leave();
    else void this.app.gameRequests.ask(joinPool(pool, this.rated(), this.variants.chosen));
  }

  private ratedChoice(): TemplateResult {
    const turn = (event: Event) => {
      this.choose(!(event.target as HTMLInputElement).checked);
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

/** Only news is announced: the rating range changes every second. */
const hintText = (text: string, news: TemplateResult | typeof nothing = nothing): TemplateResult =>
  html`${text}<span role="status">${news}</span>`;
