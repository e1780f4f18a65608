/** Filter and order of a simul's boards. Pure, and fast for a thousand of them. */

import type { Color, SimulBoard } from '../../net/protocol';
import { left_ms } from '../../time/clock';
import { gameOf, isPlainKing, plainOf } from '../../variants/registry';

export const ORDERS = ['waiting', 'time', 'round', 'number'] as const;
export type Order = (typeof ORDERS)[number];

export interface Filter {
  /** Only running boards. */
  live: boolean;
  /** Only where the host is to move. */
  waiting: boolean;
  /** Only where the host has less material. */
  behind: boolean;
  /** Only where the relevant clock is low. */
  low: boolean;
  /** Part of a player's name, a board number as `#17`, or ratings: `1500-1800`, `>1800`, `<1500`. */
  text: string;
}

export const NO_FILTER: Filter = { live: false, waiting: false, behind: false, low: false, text: '' };

export interface BoardQuery {
  order: Order;
  filter: Filter;
  /** Boards before all others, in this order. */
  pinned: readonly number[];
  /** The order of the round, in `round` mode. */
  round: readonly number[];
  /** The relevant clock: the host's in `clock` mode, else the player's; null if boards have no clocks. */
  clockOf: 'host' | 'player' | null;
  /** Below this a clock is low. */
  low_ms: number;
  now: number;
}

/** The boards to show, in order. */
export function boardsToShow(boards: Iterable<SimulBoard>, view: BoardQuery): SimulBoard[] {
  const fits = fitting(view);
  const rank = new Map(view.round.map((board, index) => [board, index]));
  const pinned = new Map(view.pinned.map((board, index) => [board, index - view.pinned.length]));
  const keyed: [pin: number, group: number, key: number, board: SimulBoard][] = [];
  for (const board of boards) {
    if (fits(board)) keyed.push([pinned.get(board.board) ?? 0, ...key(board, view, rank), board]);
  }
  keyed.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3].board - b[3].board);
  return keyed.map(([, , , board]) => board);
}

/** Finished boards come last, except in the order by number. */
function key(board: SimulBoard, view: BoardQuery, rank: ReadonlyMap<number, number>): [number, number] {
  if (view.order === 'number') return [0, board.board];
  if (board.status === 'over') return [9, board.board];
  if (view.order === 'time') return [0, timeOf(board, view) ?? Infinity];
  if (view.order === 'round') return [0, rank.get(board.board) ?? Infinity];
  // The longest wait first; boards that were put off come after the others.
  return [board.turn !== 'host' ? 3 : board.later ? 2 : 1, board.clock?.at ?? board.board];
}

/** Milliseconds left on the relevant clock; null without one. */
export function timeOf(board: SimulBoard, { clockOf, now }: Pick<BoardQuery, 'clockOf' | 'now'>): number | null {
  if (board.clock === null || clockOf === null) return null;
  return left_ms(board.clock, clockOf === 'host' ? board.color : enemy(board.color), now);
}

const enemy = (color: Color): Color => (color === 'w' ? 'b' : 'w');

function fitting(view: BoardQuery): (board: SimulBoard) => boolean {
  const { live, waiting, behind, low, text } = view.filter;
  const named = textFilter(text);
  return (board) => {
    const over = board.status === 'over';
    if (live && over) return false;
    if (waiting && (over || board.turn !== 'host')) return false;
    if (low && (over || (timeOf(board, view) ?? Infinity) >= view.low_ms)) return false;
    if (behind && balance(board) >= 0) return false;
    return named(board);
  };
}

/** The predicate of a typed filter. */
export function textFilter(text: string): (board: SimulBoard) => boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return () => true;
  const number = /^#(\d+)$/.exec(wanted);
  if (number) return ({ board }) => board === Number(number[1]);
  const range = /^(\d{1,4})\s*[-–]\s*(\d{1,4})$/.exec(wanted);
  if (range) return ({ rating }) => rating !== null && rating >= Number(range[1]) && rating <= Number(range[2]);
  const bound = /^([<>])=?\s*(\d{1,4})$/.exec(wanted);
  if (bound) {
    const most = Number(bound[2]);
    return ({ rating }) => rating !== null && (bound[1] === '<' ? rating <= most : rating >= most);
  }
  return ({ user }) => `${user.title ?? ''} ${user.name}`.toLowerCase().includes(wanted);
}

const WORTH: Readonly<Record<string, number>> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** Material balance of the host, in pawns, or in men and kings of draughts. */
export function balance({ position, color }: Pick<SimulBoard, 'position' | 'color'>): number {
  const draughts = /^[wb]:w([^:]*):b([^:]*)/i.exec(position);
  const white = draughts ? menIn(draughts[1]!) - menIn(draughts[2]!) : chessBalance(position);
  return color === 'w' ? white : -white;
}

function chessBalance(position: string): number {
  let white = 0;
  for (const sign of position) {
    if (sign === ' ') break;
    white += WORTH[sign] ? -WORTH[sign] : (WORTH[sign.toLowerCase()] ?? 0);
  }
  return white;
}

/** Of a list such as `31-35,K40`. */
function menIn(list: string): number {
  return list.split(',').filter(Boolean).reduce((sum, part) => {
    const range = /^K?(\d+)-K?(\d+)$/i.exec(part.trim());
    return sum + (range ? Number(range[2]) - Number(range[1]) + 1 : 1);
  }, 0);
}

/** The same where more material is better; null elsewhere. `variant`: of boards that do not name another. */
export function advantage(board: SimulBoard, variant: string): number | null {
  const of = board.variant ?? variant;
  return plainOf(of) !== of || isPlainKing(of) || !MATERIAL.includes(gameOf(of).game) ? null : balance(board);
}

const MATERIAL: readonly string[] = ['chess', 'draughts'];

/** On how many boards in play the host is ahead, and behind. */
export function standing(boards: Iterable<SimulBoard>, variant: string): { ahead: number; behind: number } {
  const found = { ahead: 0, behind: 0 };
  for (const board of boards) {
    const n = board.status === 'over' ? null : advantage(board, variant);
    if (n !== null && n !== 0) found[n > 0 ? 'ahead' : 'behind'] += 1;
  }
  return found;
}

/** Whether the host is to move. */
export const awaitsHost = ({ turn, status }: SimulBoard): boolean => status !== 'over' && turn === 'host';

/** The boards after `from`, cyclically, where the host is to move. Boards that were put off come after all others. */
export function waitingAfter(boards: readonly SimulBoard[], from: number | null): SimulBoard[] {
  const start = boards.findIndex(({ board }) => board === from);
  const waits = [...boards.slice(start + 1), ...boards.slice(0, Math.max(0, start))].filter(awaitsHost);
  return [...waits.filter(({ later }) => !later), ...waits.filter(({ later }) => later)];
}

/**
 * The boards where the host, who is at `shown`, is to move next: those that fit `view` if any waits there, else all. The
 * longest wait comes first, or the least time if the boards are shown in that order. Without clocks nobody knows who has
 * waited longest: then the host goes round.
 */
export function hostsWay(boards: Iterable<SimulBoard>, view: BoardQuery, shown: number | null): SimulBoard[] {
  const all = [...boards];
  const order = view.clockOf === null ? 'number' : view.order === 'time' ? 'time' : 'waiting';
  const here = all.find(({ board }) => board === shown);
  // Whoever leaves a board that waits goes on to those behind it.
  const from = order === 'number' || (here && awaitsHost(here)) ? shown : null;
  const way = (filter: Filter) => waitingAfter(boardsToShow(all, { ...view, order, filter }), from).filter(({ board }) => board !== shown);
  const fitting = way(view.filter);
  return fitting.length > 0 ? fitting : way(NO_FILTER);
}

/** The first board where the host is to move; null if there is none. */
export const firstWaiting = (boards: readonly SimulBoard[]): number | null => waitingAfter(boards, null)[0]?.board ?? null;

/** The board `by` places from `from`, cyclically; null if there are none. */
export function neighbour(boards: readonly SimulBoard[], from: number | null, by: number): number | null {
  if (boards.length === 0) return null;
  const start = boards.findIndex(({ board }) => board === from);
  const at = start < 0 ? (by > 0 ? 0 : -1) : start + by;
  return boards.at(((at % boards.length) + boards.length) % boards.length)!.board;
}
