/** A person's ratings, and the history of the selected one. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call, userAddress } from '../net/api';
import type { Profile, RatingHistory } from '../net/protocol';
import { perfName, sortedPerfs } from '../variants/perfs';
import { say } from '../words/words';
import { shownRating } from './game-rows';
import { RatingGraph } from './rating-graph';
import type { Point } from './rating-scale';

export class Ratings {
  private perf: string | null = null;
  private graph: RatingGraph | 'loading' | 'failed' | 'none' = 'loading';

  constructor(
    private readonly app: App,
    private readonly name: string,
  ) {}

  draw({ ratings }: Profile): TemplateResult {
    const perfs = sortedPerfs(Object.keys(ratings));
    if (perfs.length === 0) return html`<p class="empty">${say('ratings.none')}</p>`;
    // Select the one with the most games.
    if (this.perf === null) {
      void this.choose([...perfs].sort((one, other) => ratings[other]!.games - ratings[one]!.games)[0]!);
    }
    return html`<div class="perfs" role="group" aria-label=${say('ratings.title')} data-testid="ratings">
        ${perfs.map((perf) => {
          const { rating, provisional, games } = ratings[perf]!;
          return html`<button
            class="perf"
            aria-pressed=${String(perf === this.perf)}
            data-perf=${perf}
            @click=${() => void this.choose(perf)}
          >
            <span>${perfName(perf)}</span>
            <strong>${shownRating(rating, provisional)}</strong>
            <small>${say('count.games', { n: games })}</small>
          </button>`;
        })}
      </div>
      ${perfs.some((perf) => ratings[perf]!.provisional) ? html`<p class="hint">${say('ratings.provisional')}</p>` : ''}
      ${this.course()}`;
  }

  private course(): TemplateResult {
    const { graph } = this;
    if (graph instanceof RatingGraph) return graph.draw();
    if (graph === 'failed') return html`<p class="empty">${say('ratings.failed')}</p>`;
    return html`<p class="empty course">${graph === 'loading' ? say('app.loading') : say('ratings.none')}</p>`;
  }

  private async choose(perf: string): Promise<void> {
    if (perf === this.perf && this.graph !== 'failed') return;
    this.perf = perf;
    this.graph = 'loading';
    this.app.changed();
    const address = userAddress(this.name, `/ratings/${encodeURIComponent(perf)}`);
    const told = await call<RatingHistory>('GET', address).catch(() => null);
    if (this.perf !== perf) return;
    const points = (told?.points ?? []).map(([at = 0, rating = 0]): Point => [at, rating]);
    if (points.length > 0) this.graph = new RatingGraph(perfName(perf), points, () => this.app.changed());
    else this.graph = told === null ? 'failed' : 'none';
    this.app.changed();
  }
}
