/** A list of simuls, refreshed while it is shown, with more on request. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { call, query } from '../../net/api';
import type { SimulCard, SimulsPage } from '../../net/protocol';
import { Resource } from '../../ui/resource';
import { say } from '../../words/words';
import { simulRows } from '../text/rows';

export const LISTS = ['open', 'running', 'finished', 'mine'] as const;
export type ListName = (typeof LISTS)[number];

const EVERY_MS = 8_000;

export class SimulList {
  private readonly resource: Resource<SimulsPage>;
  private readonly ticker: ReturnType<typeof setInterval>;
  private readonly address: string;
  /** Pages after the first. */
  private more: SimulCard[] = [];
  private next: string | null | undefined;
  private busy = false;

  constructor(
    private readonly app: App,
    readonly name: ListName,
  ) {
    this.address = `/api/v1/simuls${query({ status: name })}`;
    this.resource = new Resource(this.address, () => app.changed());
    this.ticker = setInterval(() => document.hidden || void this.resource.load(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.resource.close();
  }

  draw(): TemplateResult {
    const { value: got } = this.resource;
    // There is nothing without a session.
    if (this.name === 'mine' && this.app.socket.user === null) return empty(this.name);
    if (got === null) return this.resource.state === 'missing' ? empty(this.name) : this.resource.draw();
    const first = new Set(got.simuls.map(({ simul }) => simul));
    const all = [...got.simuls, ...this.more.filter(({ simul }) => !first.has(simul))];
    if (all.length === 0) return empty(this.name);
    const next = this.next === undefined ? got.next : this.next;
    return html`${simulRows(all, this.app.socket.time.now())}
      ${next === null
        ? nothing
        : html`<div class="buttons"><button data-testid="simuls-more" aria-disabled=${String(this.busy)} @click=${() => this.longer(next)}>${say('simuls.more')}</button></div>`}`;
  }

  private async longer(before: string): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const page = await this.app.attempt(() => call<SimulsPage>('GET', `/api/v1/simuls${query({ status: this.name, before })}`));
    this.busy = false;
    if (page) {
      this.more = [...this.more, ...page.simuls];
      this.next = page.next;
    }
    this.app.changed();
  }
}

const empty = (name: ListName): TemplateResult => html`<p class="empty" data-testid="no-simuls">${say(`simuls.empty.${name}`)}</p>`;
