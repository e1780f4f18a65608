/**
 * Chart of a rating's history, explored with the pointer or arrow keys, and the same as a table. For screen readers it
 * is a slider that tells time and rating.
 */

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { day, moment } from '../words/dates';
import { say } from '../words/words';
import { nearest, scaleOf, type Point, type Scale } from './rating-scale';

/** Points that Page Up and Page Down skip. */
const PAGE = 10;

export class RatingGraph {
  private readonly scale: Scale;
  private chosen: number;
  private tabled = false;
  /** Format of times: the day; with the time if a day has several points. */
  private readonly when: (at: number) => string;

  /** @param points at least one, oldest first. */
  constructor(
    private readonly name: string,
    private readonly points: readonly Point[],
    private readonly changed: () => void,
  ) {
    this.scale = scaleOf(points);
    this.chosen = points.length - 1;
    const days = new Set(points.map(([at]) => day(at)));
    this.when = days.size < points.length ? moment : day;
  }

  draw(): TemplateResult {
    const { points, scale, chosen } = this;
    const [at, rating] = points[chosen]!;
    const said = say('graph.at', { when: this.when(at), rating });
    const last = points.length - 1;
    const [from, to] = [day(points[0]![0]), day(points[last]![0])];
    return html`<figure class="course" data-testid="graph">
      <figcaption data-testid="graph-at">${said}</figcaption>
      <div
        class="course-field"
        role="slider"
        tabindex="0"
        aria-label=${say('graph.name', { name: this.name })}
        aria-valuemin="0"
        aria-valuemax=${last}
        aria-valuenow=${chosen}
        aria-valuetext=${said}
        @keydown=${(event: KeyboardEvent) => this.key(event)}
        @pointermove=${(event: PointerEvent) => this.point(event)}
        @pointerdown=${(event: PointerEvent) => this.point(event)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          ${scale.lines.map((line) => svg`<path class="course-rule" d="M0 ${scale.y(line)}H100" />`)}
          <path class="course-line" d=${this.course()} />
        </svg>
        ${scale.lines.map(
          (line) => html`<span class="course-label" aria-hidden="true" .style=${`top: ${scale.y(line)}%`}>${line}</span>`,
        )}
        <i class="course-cursor" .style=${`left: ${scale.x(at)}%`}></i>
        <i class="course-dot" .style=${`left: ${scale.x(at)}%; top: ${scale.y(rating)}%`}></i>
      </div>
      <p class="course-days" aria-hidden="true">
        <span>${from}</span>${to === from ? nothing : html`<span>${to}</span>`}
      </p>
      <details @toggle=${(event: Event) => this.openTable((event.target as HTMLDetailsElement).open)}>
        <summary>${say('graph.table')}</summary>
        ${this.tabled ? this.table() : nothing}
      </details>
    </figure>`;
  }

  private course(): string {
    const places = this.points.map(([at, rating]) => `${round(this.scale.x(at))} ${round(this.scale.y(rating))}`);
    return `M${places.join('L')}`;
  }

  private table(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('graph.table.of', { name: this.name })}>
      <table data-testid="graph-table">
        <thead>
          <tr>
            <th scope="col">${say('graph.when')}</th>
            <th scope="col">${say('graph.rating')}</th>
          </tr>
        </thead>
        <tbody>
          ${[...this.points].reverse().map(
            ([at, rating]) =>
              html`<tr>
                <th scope="row">${this.when(at)}</th>
                <td>${rating}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = this.points.length - 1;
    const to: Record<string, number> = {
      ArrowLeft: this.chosen - 1,
      ArrowDown: this.chosen - 1,
      ArrowRight: this.chosen + 1,
      ArrowUp: this.chosen + 1,
      PageDown: this.chosen - PAGE,
      PageUp: this.chosen + PAGE,
      Home: 0,
      End: last,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, wanted)));
  }

  private point(event: PointerEvent): void {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    if (width > 0) this.choose(nearest(this.points, this.scale, ((event.clientX - left) / width) * 100));
  }

  private choose(index: number): void {
    if (index === this.chosen) return;
    this.chosen = index;
    this.changed();
  }

  private openTable(open: boolean): void {
    this.tabled = open;
    this.changed();
  }
}

const round = (value: number) => Math.round(value * 100) / 100;
