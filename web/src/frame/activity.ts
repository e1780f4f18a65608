/** The person's running games and searches for an opponent: one chip in the header. Several open as a list. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { placeMenu } from '../ui/popover';
import { say } from '../words/words';

/** A part of the application that has items in the chip. */
export interface ActivitySource {
  items(): TemplateResult[];
}

export class Activity {
  /** `waiting`: number of games where the person is to move. */
  constructor(
    private readonly sources: readonly ActivitySource[],
    private readonly waiting: () => number,
  ) {}

  draw(): TemplateResult | typeof nothing {
    const items = this.sources.flatMap((source) => source.items());
    if (items.length <= 1) return items[0] ?? nothing;
    const waiting = this.waiting();
    const words = waiting > 0 ? say('activity.your-turn') : say('activity.several');
    return html`<button
        class="own-game"
        popovertarget="activity-menu"
        data-mine=${String(waiting > 0)}
        aria-label=${say('activity.name', { n: items.length })}
        data-testid="activity"
      >
        <b class="badge" aria-hidden="true">${items.length}</b><span class="own-name">${words}</span>
      </button>
      <section
        id="activity-menu"
        class="popup"
        popover
        aria-label=${say('strip.name')}
        data-testid="strip"
        @toggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.target as HTMLElement)}
      >
        <ul>
          ${items.map((item) => html`<li>${item}</li>`)}
        </ul>
      </section>`;
  }
}
