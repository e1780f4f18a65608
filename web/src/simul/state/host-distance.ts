/** How far the host is from a board, and what is counted down: pure. */

import type { GameSnapshot, SimulBoard, SimulSnapshot } from '../../net/protocol';

/** How many boards the host visits before `board`; 0 while he is there, null where nothing can be said. */
export function boardsUntil({ mode, status, order, at }: SimulSnapshot, board: number): number | null {
  if (status !== 'running' || mode !== 'round') return null;
  if (at === board) return 0;
  const index = order.indexOf(board);
  return index < 0 ? null : index + 1;
}

const waits = ({ status, turn }: SimulBoard): boolean => status !== 'over' && turn === 'host';

/** In `clock` mode: how many boards wait for the host, this one not counted. */
export function othersWaiting(boards: Iterable<SimulBoard>, board: number): number {
  let n = 0;
  for (const other of boards) n += Number(other.board !== board && waits(other));
  return n;
}

/**
 * In `clock` mode: how many boards have waited longer for the host than `board`, that where he is not counted; who has
 * waited longest is who he is sent to. Null where `board` does not wait, or nothing tells for how long.
 */
export function waitingLonger(boards: Iterable<SimulBoard>, board: SimulBoard, at: number | null): number | null {
  const since = board.clock?.at;
  if (!waits(board) || since === undefined) return null;
  let n = 0;
  for (const other of boards) n += Number(other.board !== at && waits(other) && !other.later && (other.clock?.at ?? since) < since);
  return n;
}

/** Whole seconds until `until`; 0 when it is past. */
export const secondsUntil = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / 1000));

/** What is left of the host's one clock. */
export function hostLeft_ms({ host_clock, break_until, away_since }: SimulSnapshot, now: number): number | null {
  if (host_clock === null) return null;
  const { left, run, at } = host_clock;
  const runs = run && break_until === null && away_since === null;
  return Math.max(0, runs ? left - Math.max(0, now - at) : left);
}

/** Why the clocks of `board` stand. Of its `game` without clocks only the exhibition tells it. */
export const heldAt = (board: SimulBoard, game: Pick<GameSnapshot, 'clock'> | null): string | undefined =>
  (game?.clock ?? board.clock)?.held;

/**
 * Whether who plays `board` makes his move ready instead of playing it: it is his turn, and the host is elsewhere, or has
 * moved and lingers. `held`: why the clocks of his game stand, which it tells by itself.
 */
export const prepares = ({ mode, status, at }: SimulSnapshot, board: SimulBoard, held: string | undefined): boolean =>
  mode === 'round' && status === 'running' && board.status !== 'over' && (at !== board.board || held === 'round');
