/**
 * A clock on the page. It updates its own element many times a second without drawing the page, and only when the text
 * changes.
 */

import type { Clock, Color, GameSnapshot, TimeControl } from '../../net/protocol';
import type { ServerTime } from '../../net/server-time';
import type { Settings } from '../../settings/settings';
import { format_ms, left_ms } from '../../time/clock';
import { HELD_BY_DELAY } from '../../time/delay';
import { say } from '../../words/words';
import { firstMoveLeft_ms } from '../play/first-move';

const TENTHS_MS = 10_000;
const LOW_LEAST_MS = 10_000;
const LOW_MOST_MS = 60_000;

/** When a clock counts as low: an eighth of the base time, between 10 s and a minute. */
export function low_ms(tc: TimeControl): number {
  if (tc === null || 'days' in tc) return 0;
  const base_s = 'periods' in tc ? (tc.periods[0]?.base_s ?? 0) : tc.base_s;
  return Math.min(LOW_MOST_MS, Math.max(LOW_LEAST_MS, (base_s * 1000) / 8));
}

/** The time, with tenths as the setting says. */
export function digits(ms: number, tenths: Settings['clockTenths']): string {
  // A second is shown until it is over.
  if (tenths === 'never' && ms < TENTHS_MS) return `0:0${Math.floor(ms / 1000)}`;
  const text = format_ms(ms);
  return tenths === 'always' && ms >= TENTHS_MS && ms < 3_600_000 ? `${text}.${Math.floor(ms / 100) % 10}` : text;
}

export class ClockFace {
  readonly element = document.createElement('div');
  private readonly time = document.createElement('time');
  /** Delay, period or hold; beside the name, so that the clock keeps its size. */
  readonly more = document.createElement('span');

  constructor(
    private readonly color: Color,
    private readonly server: ServerTime,
  ) {
    this.time.dataset.testid = `clock-${color}`;
    this.time.setAttribute('role', 'timer');
    this.time.setAttribute('aria-label', say('clock.of', { side: say(`side.${color}`) }));
    this.time.setAttribute('aria-live', 'off');
    this.more.className = 'clock-more';
    this.element.append(this.time);
  }

  /** Update the clock; returns the milliseconds left. */
  update(game: GameSnapshot, tenths: Settings['clockTenths']): number {
    const { clock } = game;
    if (clock === null) return Infinity;
    const now = this.server.now();
    const ms = left_ms(clock, this.color, now);
    // While the clocks are held none runs, but it is still somebody's turn.
    const runs = (clock.held ? game.turn : clock.run) === this.color && game.status !== 'over';
    // The first move is not charged, but it is awaited.
    const awaited = game.turn === this.color && firstMoveLeft_ms(game, now) !== null;
    const state = awaited ? 'running' : !runs ? '' : clock.held ? 'held' : 'running';
    const classes = ['clock', state, ms < low_ms(game.tc) ? 'short' : ''].filter(Boolean).join(' ');
    if (this.element.className !== classes) this.element.className = classes;
    write(this.time, digits(ms, tenths));
    write(this.more, this.beside(game, clock, runs, now));
    return ms;
  }

  private beside(game: GameSnapshot, clock: Clock, runs: boolean, now: number): string {
    if (runs && clock.held) return say(clock.held === HELD_BY_DELAY ? 'clock.late' : 'clock.held');
    const delay_ms = runs && !clock.held ? (clock.delay_left ?? 0) - Math.max(0, now - clock.at) : 0;
    if (delay_ms > 0) return say('clock.delay', { s: Math.ceil(delay_ms / 1000) });
    const period = of(clock.period, this.color);
    if (period === null || game.status === 'over') return '';
    const moves = of(clock.moves_to_go, this.color);
    return moves === null ? say('clock.period', { n: period }) : say('clock.moves', { n: moves });
  }
}

function of(pair: unknown, color: Color): number | null {
  const value = typeof pair === 'object' && pair !== null ? (pair as Record<string, unknown>)[color] : null;
  return typeof value === 'number' ? value : null;
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
