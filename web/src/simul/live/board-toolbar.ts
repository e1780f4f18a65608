/** Filter and order of the boards. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { browserStorage } from '../../browser/storage';
import { icon } from '../../ui/icons';
import { placeMenu } from '../../ui/popover';
import { say } from '../../words/words';
import { NO_FILTER, ORDERS, type Filter, type Order } from '../state/board-order';

const CHIPS = ['waiting', 'behind', 'low', 'live'] as const satisfies readonly (keyof Filter)[];
const KEPT = 'simul:order';

export class BoardToolbar {
  filter: Filter = NO_FILTER;
  order: Order;

  constructor(private readonly changed: () => void) {
    const kept = browserStorage('local')?.getItem(KEPT) as Order | null | undefined;
    this.order = kept && ORDERS.includes(kept) ? kept : 'number';
  }

  /** `round`: boards are visited in a round; `running`: the simul runs; `shown` of `all` boards match. */
  draw({ round, running, shown, all }: { round: boolean; running: boolean; shown: number; all: number }): TemplateResult {
    const orders = ORDERS.filter((order) => order !== 'round' || round);
    const filtered = this.filter !== NO_FILTER;
    return html`<button class="simul-filter" popovertarget="simul-filter" aria-pressed=${String(filtered)} title=${say('simul.tools')} data-testid="simul-filter">
        ${icon('funnel')}<span class="unseen">${say('simul.tools')}</span>${filtered ? html`<b aria-hidden="true">${shown}</b>` : nothing}
      </button>
      <div
        id="simul-filter"
        class="popup simul-toolbar"
        popover
        role="group"
        aria-label=${say('simul.tools')}
        @toggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.target as HTMLElement)}
      >
        ${running ? this.orders(orders) : nothing}
        <input
          type="search"
          data-testid="simul-search"
          aria-label=${say('simul.search')}
          placeholder=${say('simul.search.short')}
          title=${say('simul.search')}
          autocomplete="off"
          .value=${this.filter.text}
          @input=${(event: Event) => this.put({ text: (event.target as HTMLInputElement).value })}
        />
        <p class="simul-chips">${(running ? CHIPS : []).map((chip) => this.chip(chip))}</p>
        <p class="simul-counted">
          <span class="count" role="status" data-testid="simul-count"
            >${shown === all ? say('count.boards', { n: all }) : say('simul.shown', { n: shown, all })}</span
          >
          ${filtered ? html`<button class="plain" data-testid="filter-none" @click=${() => this.clear()}>${say('simul.filter.none')}</button>` : nothing}
        </p>
      </div>`;
  }

  private orders(orders: readonly Order[]): TemplateResult {
    return html`<label class="simul-order"
      ><span>${say('simul.order')}</span>
      <select data-testid="simul-order" @change=${(event: Event) => this.sort((event.target as HTMLSelectElement).value as Order)}>
        ${orders.map((order) => html`<option value=${order} ?selected=${order === this.order}>${say(`simul.order.${order}`)}</option>`)}
      </select>
    </label>`;
  }

  private chip(chip: (typeof CHIPS)[number]): TemplateResult {
    return html`<button
      class="simul-chip"
      data-testid="filter-${chip}"
      aria-pressed=${String(this.filter[chip])}
      title=${say(`simul.filter.${chip}.long`)}
      @click=${() => this.put({ [chip]: !this.filter[chip] })}
    >
      ${say(`simul.filter.${chip}`)}
    </button>`;
  }

  clear(): void {
    this.filter = NO_FILTER;
    this.changed();
  }

  private put(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.changed();
  }

  private sort(order: Order): void {
    this.order = order;
    try {
      browserStorage('local')?.setItem(KEPT, order);
    } catch {
      // No storage: the order lasts until the page is left.
    }
    this.changed();
  }
}
