/** A cell of the grid: player, small board, clocks or result. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { VariantRef } from '../../board/grounds';
import { miniBoard } from '../../board/mini-board';
import type { Color, SimulBoard } from '../../net/protocol';
import { resultOf } from '../../state/result-text';
import { format_ms, left_ms } from '../../time/clock';
import { personName, personText } from '../../ui/person-name';
import { ratingText } from '../../ui/rating';
import { say } from '../../words/words';
import { advantage } from '../state/board-order';

export interface CellView {
  /** The game of boards that do not name another. */
  of: VariantRef;
  /** The host's board, and the board shown large. */
  at: number | null;
  shown: number | null;
  /** The active board of the grid. */
  active: number | null;
  pinned: readonly number[];
  /** The host has one clock for all boards. */
  oneClock: boolean;
  /** The players have clocks. */
  timed: boolean;
  low_ms: number;
  now: number;
}

export const cellId = (board: number): string => `board-${board}`;

/** `index` of `count`; drawn only when something on it has changed. */
export function cell(board: SimulBoard, view: CellView, index: number, count: number): TemplateResult {
  const times = timesOf(board, view);
  const marks = [view.at, view.shown, view.active].map((number) => number === board.board);
  const pinned = view.pinned.includes(board.board);
  return html`<div
    class="simul-cell"
    role="option"
    id=${cellId(board.board)}
    aria-selected=${String(view.shown === board.board)}
    aria-setsize=${count}
    aria-posinset=${index + 1}
    data-testid="simul-cell"
    data-board=${board.board}
    data-turn=${board.status === 'over' ? 'over' : board.turn}
    data-at=${String(marks[0])}
    data-active=${String(marks[2])}
    data-low=${String(times.low)}
    data-pinned=${String(pinned)}
  >
    ${guard([board, times.host, times.player, view.at === board.board, pinned], () => inside(board, view.of, times, view.at === board.board, pinned))}
  </div>`;
}

interface Times {
  host: string;
  player: string;
  low: boolean;
}

/** As text; empty for a side without a clock. */
export function timesOf(
  { clock, color, status }: SimulBoard,
  { now, oneClock, timed, low_ms }: Pick<CellView, 'now' | 'oneClock' | 'timed' | 'low_ms'>,
): Times {
  if (clock === null || !timed || status === 'over') return { host: '', player: '', low: false };
  const ms = (side: Color) => left_ms(clock, side, now);
  const [host, player] = [ms(color), ms(color === 'w' ? 'b' : 'w')];
  return { host: oneClock ? '' : whole(host), player: whole(player), low: (oneClock ? player : host) < low_ms };
}

const HOUR_MS = 3_600_000;

/** In whole seconds, to draw once a second; from an hour on in minutes, for lack of space. */
export function whole(ms: number): string {
  if (ms < 10_000) return `0:${String(Math.ceil(ms / 1000)).padStart(2, '0')}`;
  if (ms < HOUR_MS) return format_ms(ms);
  const minutes = String(Math.floor(ms / 60_000) % 60).padStart(2, '0');
  return say('simul.hours', { hours: Math.floor(ms / HOUR_MS), minutes });
}

/** The player is above the board, the host below it, each with their time. */
function inside(board: SimulBoard, of: VariantRef, times: Times, at: boolean, pinned: boolean): TemplateResult {
  const { user, rating, provisional, position, last, color } = board;
  return html`<span class="simul-who" title=${spokenBoard(board)} aria-hidden="true"
      ><b>${board.board}</b> <span class="simul-name">${personName(user)}</span>
      ${rating === null || times.player !== '' ? nothing : html`<small>${ratingText(rating, provisional ?? false)}</small>`}
      ${time('player', times.player, board.turn !== 'host')}</span
    >
    ${miniBoard({ game: board.game ?? of.game, variant: board.variant ?? of.variant }, position, last, color)}
    <span class="simul-state" aria-hidden="true">${state(board, of, times)}</span>
    <span class="unseen">${spoken(board, of, times, at, pinned)}</span>`;
}

const time = (whose: 'host' | 'player', text: string, runs: boolean): TemplateResult | typeof nothing =>
  text === ''
    ? nothing
    : html`<span class="simul-times" title=${say(`simul.time.${whose}`, { time: text })}><i data-run=${String(runs)}>${text}</i></span>`;

function state(board: SimulBoard, of: VariantRef, { host }: Times): TemplateResult {
  if (board.status === 'over') return html`<b class="simul-outcome" data-outcome=${outcomeOf(board)}>${outcome(board)}</b>`;
  const waits = board.turn === 'host';
  const ahead = advantage(board, of.variant) ?? 0;
  return html`<span class="simul-turn" title=${say(waits ? 'simul.cell.host.long' : 'simul.cell.player.long')}>${board.later ? '↻' : waits ? '●' : '○'}</span>
    ${ahead === 0 ? nothing : html`<span class="simul-ahead" data-ahead=${String(ahead > 0)} title=${aheadText(ahead)}>${ahead > 0 ? '+' : '−'}${Math.abs(ahead)}</span>`}
    ${time('host', host, waits)}`;
}

const aheadText = (ahead: number): string => say(ahead > 0 ? 'simul.cell.ahead' : 'simul.cell.behind', { n: Math.abs(ahead) });

export type HostOutcome = 'won' | 'lost' | 'drawn' | 'none';

/** Outcome of a finished board for the host. */
export function outcomeOf({ result, color }: Pick<SimulBoard, 'result' | 'color'>): HostOutcome {
  if (result === '*') return 'none';
  if (result === '1/2-1/2') return 'drawn';
  return (result === '1-0') === (color === 'w') ? 'won' : 'lost';
}

/** White's points first. */
export const outcome = (board: Pick<SimulBoard, 'result'>): string => resultOf(board) || '–';

/** The board, its player and the side to move, for screen readers. */
export function spokenBoard(board: SimulBoard): string {
  const over = board.status === 'over';
  return [
    say('simul.board', { n: board.board }),
    personText(board.user),
    board.rating === null ? '' : say('simul.rated', { rating: board.rating }),
    over ? say(`simul.outcome.${outcomeOf(board)}`) : say(board.turn === 'host' ? 'simul.cell.host.long' : 'simul.cell.player.long'),
  ]
    .filter(Boolean)
    .join(', ');
}

/** All of the cell, for screen readers. */
function spoken(board: SimulBoard, of: VariantRef, { host, player }: Times, at: boolean, pinned: boolean): string {
  const over = board.status === 'over';
  const ahead = advantage(board, of.variant) ?? 0;
  return [
    spokenBoard(board),
    over || host === '' ? '' : say('simul.time.host', { time: host }),
    over || player === '' ? '' : say('simul.time.player', { time: player }),
    over || ahead === 0 ? '' : aheadText(ahead),
    at ? say('simul.cell.at') : '',
    board.later && !over ? say('simul.cell.later') : '',
    pinned ? say('simul.cell.pinned') : '',
  ]
    .filter(Boolean)
    .join(', ');
}
