/**
 * The person's running games and searches for an opponent: one chip in the header. Several open as a list. A simul that
 * they host has a chip of its own: the way back is always there.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { placeMenu } from '../ui/popover';
import { say } from '../words/words';

/** A part of the application that has items in the chip. */
export interface ActivitySource {
  items(): TemplateResult[];
  /** What each item is about, if they change places. */
  keys?(): string[];
}

interface Item {
  key: string;
  drawn: TemplateResult;
}

export class Activity {
  /** `waiting`: number of games where the person is to move. */
  constructor(
    private readonly hosted: ActivitySource,
    private readonly sources: readonly ActivitySource[],
    private readonly waiting: () => number,
  ) {}

  draw(): TemplateResult {
    // Few people host two simuls at once.
    const [simul, ...simuls] = this.hosted.items();
    const items = [...keyed('simul', simuls), ...this.sources.flatMap((source, place) => keyed(String(place), source.items(), source.keys?.()))];
    return html`${simul ?? nothing} ${items.length > 1 ? this.list(items) : (items[0]?.drawn ?? nothing)}`;
  }

  private list(items: readonly Item[]): TemplateResult {
    const waiting = this.waiting();
    const words = waiting > 0 ? say('activity.your-turn') : say('activity.several');
    return html`<button
        class="own-game"
        popovertarget="activity-menu"
        data-mine=${String(waiting > 0)}
        aria-label="${words} · ${say('activity.name', { n: items.length })}"
        data-testid="activity"
      >
        <b class="badge" aria-hidden="true">${items.length}</b><span class="own-name">${words}</span>
      </button>
      <section
        id="activity-menu"
        class="popup"
        popover
        aria-label=${say('activity.title')}
        data-testid="activity-list"
        @toggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.target as HTMLElement)}
      >
        <ul>
          ${repeat(
            items,
            ({ key }) => key,
            ({ drawn }) => html`<li>${drawn}</li>`,
          )}
        </ul>
      </section>`;
  }
}

/** The focus stays with an item that changes its place. */
const keyed = (source: string, items: readonly TemplateResult[], keys: readonly string[] = []): Item[] =>
  items.map((drawn, index) => ({ key: `${source} ${keys[index] ?? index}`, drawn }));
