/**
 * Open seeks as a chart: speed from left to right, rating from bottom to top.
 *
 * It is a picture for pointers; the list says the same to everybody. A click lists the seeks there with their buttons,
 * since dots may be closer than a finger is wide.
 */

import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { describe } from '../../time/control-text';
import { LIMITS_S, pace_s } from '../../time/speed';
import { personText } from '../../ui/person-name';
import { nameOf, say } from '../../words/words';
import type { ListedSeek } from './seek-fit';
import { seekList } from './seek-list';

/** Range of each speed, in estimated seconds; no clock or days is the last column. */
const COLUMNS = [
  ['bullet', 15, LIMITS_S.bullet],
  ['blitz', LIMITS_S.bullet, LIMITS_S.blitz],
  ['rapid', LIMITS_S.blitz, LIMITS_S.rapid],
  ['classical', LIMITS_S.rapid, 4 * 3_600],
] as const;
/** In percent: left edge, width of a column, and the positions of the lowest and highest ratings. */
const LEFT = 11;
const WIDTH = 17.4;
const [LOW, HIGH] = [800, 2_400];
const [BOTTOM, TOP] = [76, 8];
/** Of unrated people. */
const UNRATED_AT = 85;
/** A click picks all dots within this distance, in CSS pixels. */
const NEAR_PX = 22;

export interface Place {
  /** In percent from the left and the top. */
  x: number;
  y: number;
}

export function placeOf({ tc, rating }: ListedSeek['seek']): Place {
  const s = pace_s(tc);
  const column = COLUMNS.findIndex(([, , to]) => s !== null && s < to);
  const known = s === null ? undefined : (COLUMNS[column] ?? COLUMNS.at(-1));
  const y = rating === null ? UNRATED_AT : BOTTOM - ((clamped(rating, LOW, HIGH) - LOW) / (HIGH - LOW)) * (BOTTOM - TOP);
  if (known === undefined || s === null) return { x: LEFT + WIDTH * (COLUMNS.length + 0.5), y };
  const [, from, to] = known;
  // Logarithmic: from 1 to 2 minutes is as far as from 5 to 10. Dots keep off the lines between columns.
  const part = Math.log(clamped(s, from, to) / from) / Math.log(to / from);
  return { x: LEFT + WIDTH * (COLUMNS.indexOf(known) + 0.12 + 0.76 * part), y };
}

export class SeekGraph {
  /** Ids of the picked seeks. */
  private picked: readonly string[] = [];

  constructor(private readonly app: App) {}

  draw(listed: readonly ListedSeek[]): TemplateResult {
    const shown = listed.filter(({ seek }) => this.picked.includes(seek.seek));
    return html`<div class="graph" tabindex="0">
      <svg role="img" data-testid="graph" aria-label=${say('seeks.graph', { n: listed.length })} @click=${(event: MouseEvent) => this.point(event, listed)}>
        ${frame()} ${listed.map((one) => this.dot(one))}
      </svg>
      <div role="status">
        ${shown.length === 0
          ? html`<p class="hint">${say('seeks.graph.hint')}</p>`
          : seekList(this.app, shown, 'graph-seeks')}
      </div>
    </div>`;
  }

  private dot(one: ListedSeek): SVGTemplateResult {
    const { seek, fit } = one;
    const { x, y } = placeOf(seek);
    const title = say('seeks.dot', { name: personText(seek.user), tempo: describe(seek.tc) });
    return svg`<circle class="dot" data-fit=${fit} data-rated=${String(seek.rated)} data-picked=${String(this.picked.includes(seek.seek))}
      data-seek=${seek.seek} cx="${x}%" cy="${y}%" r="7"><title>${title}</title></circle>`;
  }

  private point(event: MouseEvent, listed: readonly ListedSeek[]): void {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const near = ({ seek }: ListedSeek) => {
      const { x, y } = placeOf(seek);
      const across = (x / 100) * box.width - (event.clientX - box.left);
      const down = (y / 100) * box.height - (event.clientY - box.top);
      return Math.hypot(across, down) <= NEAR_PX;
    };
    this.picked = listed.filter(near).map(({ seek }) => seek.seek);
    this.app.changed();
  }
}

function frame(): SVGTemplateResult {
  const names = [...COLUMNS.map(([speed]) => speed), 'correspondence'];
  return svg`
    ${names.map(
      (speed, n) => svg`<line class="rule" x1="${LEFT + WIDTH * n}%" x2="${LEFT + WIDTH * n}%" y1="2%" y2="90%" />
        <text class="column" x="${LEFT + WIDTH * (n + 0.5)}%" y="97%">${
          speed === 'correspondence' ? say('seeks.graph.days') : nameOf('speed', speed)
        }</text>`,
    )}
    ${[1_000, 1_500, 2_000].map((rating) => {
      const y = BOTTOM - ((rating - LOW) / (HIGH - LOW)) * (BOTTOM - TOP);
      return svg`<line class="rule" x1="${LEFT}%" x2="98%" y1="${y}%" y2="${y}%" />
        <text class="rating" x="${LEFT - 1}%" y="${y}%" dy="0.35em">${rating}</text>`;
    })}
    <text class="rating" x="${LEFT - 1}%" y="${UNRATED_AT}%" dy="0.35em">${say('seeks.graph.unrated')}</text>`;
}

const clamped = (n: number, least: number, most: number) => Math.min(Math.max(n, least), most);
