/** Button to put a listed game on the wall. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { icon } from '../ui/icons';
import { say } from '../words/words';
import type { Mini } from './mini';
import { MOST_GAMES, wallAddress, wallOf, type StoredWall } from './wall-games';

export class WallButton {
  constructor(
    private readonly app: App,
    private readonly storage: StoredWall,
    private readonly changed: () => void,
  ) {}

  /** For one game. */
  draw(mini: Mini): TemplateResult {
    const on = this.storage.games.includes(mini.g);
    const { w, b } = mini.players;
    const players = `${w.user?.name ?? say('nobody')} – ${b.user?.name ?? say('nobody')}`;
    return html`<button
      class="plain on-wall"
      data-testid="on-wall"
      aria-pressed=${String(on)}
      aria-label=${say('watch.wall.put.of', { players })}
      title=${say(on ? 'watch.wall.take' : 'watch.wall.put')}
      @click=${() => this.toggle(mini.g)}
    >
      ${icon('grid')}<span>${say('watch.wall.short')}</span>
    </button>`;
  }

  /** Link to the wall, if there is anything on it. */
  way(): TemplateResult | typeof nothing {
    const { games } = this.storage;
    if (games.length === 0) return nothing;
    return html`<a class="button main" href=${wallAddress(games)} data-page data-testid="to-wall"
      >${say('watch.wall.to', { n: games.length })}</a
    >`;
  }

  private toggle(g: string): void {
    const { games } = this.storage;
    if (games.includes(g)) this.storage.games = games.filter((other) => other !== g);
    else if (games.length >= MOST_GAMES) this.app.say(say('watch.wall.full', { n: MOST_GAMES }));
    else this.storage.games = wallOf([...games, g]);
    this.changed();
  }
}
