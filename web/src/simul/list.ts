/** A list of exhibitions, asked for again while somebody looks, and longer when it is wanted longer. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { call, query } from '../api';
import type { App } from '../app';
import { moment } from '../dates';
import { personName } from '../people/name';
import type { SimulCard, SimulsPage } from '../protocol';
import { say } from '../words';
import { Wanted } from '../wanted';
import { inShort } from './announcement';
import { halves, pointsOf } from './pace';
import { until } from './until';

export const LISTS = ['open', 'running', 'finished', 'mine'] as const;
export type ListName = (typeof LISTS)[number];

const EVERY_MS = 8_000;

export class SimulList {
  private readonly wanted: Wanted<SimulsPage>;
  private readonly beat: ReturnType<typeof setInterval>;
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
    this.wanted = new Wanted(this.address, () => app.changed());
    this.beat = setInterval(() => document.hidden || void this.wanted.load(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.beat);
    this.wanted.close();
  }

  draw(): TemplateResult {
    const { got } = this.wanted;
    if (got === null) return this.wanted.state === 'missing' ? empty(this.name) : this.wanted.draw();
    const first = new Set(got.simuls.map(({ simul }) => simul));
    const all = [...got.simuls, ...this.more.filter(({ simul }) => !first.has(simul))];
    if (all.length === 0) return empty(this.name);
    const next = this.next === undefined ? got.next : this.next;
    return html`<ul class="rows" data-testid="simul-list">
        ${repeat(
          all,
          ({ simul }) => simul,
          (card) => html`<li>${this.row(card)}</li>`,
        )}
      </ul>
      ${next === null
        ? nothing
        : html`<div class="buttons"><button data-testid="simuls-more" aria-disabled=${String(this.busy)} @click=${() => this.longer(next)}>${say('simuls.more')}</button></div>`}`;
  }

  private row(card: SimulCard): TemplateResult {
    return html`<a class="row" href="/simul/${card.simul}" data-page data-testid="simul-row">
      <span class="row-main"
        ><strong>${card.name}</strong>
        <small>${personName(card.host)} · ${inShort(card)}</small></span
      >
      <span class="row-end">${end(card, this.app.socket.time.now())}</span>
    </a>`;
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

function end(card: SimulCard, now: number): TemplateResult {
  const { status, score, players, applicants, max_boards, boards, start_at, finished } = card;
  if (status === 'created') {
    return html`<strong>${say('simuls.seats', { n: players, all: max_boards })}</strong>
      <small>${start_at === null ? say('simuls.waiting', { n: applicants }) : until(start_at, now)}</small>`;
  }
  if (status === 'cancelled') return html`<small>${say('simul.cancelled')}</small>`;
  const { points, of } = pointsOf(score);
  return html`<strong>${say('simuls.score', { points: halves(points), of })}</strong>
    <small>${status === 'running' ? say('simul.left', { n: score.live, all: boards }) : finished === null ? '' : moment(finished)}</small>`;
}
