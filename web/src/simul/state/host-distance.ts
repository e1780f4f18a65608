/** Distance of the host from a board, and countdowns. Pure. */

import type { GameSnapshot, SimulBoard, SimulSnapshot } from '../../net/protocol';

/** Boards that the host visits before `board`; 0 if they are there, null if unknown. */
export function boardsUntil({ mode, status, order, at }: SimulSnapshot, board: number): number | null {
  if (status !== 'running' || mode !== 'round') return null;
  if (at === board) return 0;
  const index = order.indexOf(board);
  return index < 0 ? null : index + 1;
}

const waits = ({ status, turn }: SimulBoard): boolean => status !== 'over' && turn === 'host';

/** In `clock` mode: other boards that wait for the host. */
export function othersWaiting(boards: Iterable<SimulBoard>, board: number): number {
  let n = 0;
  for (const other of boards) n += Number(other.board !== board && waits(other));
  return n;
}

/**
 * In `clock` mode: boards that have waited longer than `board`, except the host's. The host goes to the longest wait
 * first. Null if `board` does not wait, or it is unknown for how long.
 */
export function waitingLonger(boards: Iterable<SimulBoard>, board: SimulBoard, at: number | null): number | null {
  const since = board.clock?.at;
  if (!waits(board) || since === undefined) return null;
  let n = 0;
  for (const other of boards) n += Number(other.board !== at && waits(other) && !other.later && (other.clock?.at ?? since) < since);
  return n;
}

/** Whole seconds until `until`; 0 if it is past. */
export const secondsUntil = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / 1000));

/** Time left on the host's single clock. */
export function hostLeft_ms({ host_clock, break_until, away_since }: SimulSnapshot, now: number): number | null {
  if (host_clock === null) return null;
  const { left, run, at } = host_clock;
  const runs = run && break_until === null && away_since === null;
  return Math.max(0, runs ? left - Math.max(0, now - at) : left);
}

/** Why the clocks of `board` are held. For a `game` without clocks only the simul tells. */
export const heldAt = (board: SimulBoard, game: Pick<GameSnapshot, 'clock'> | null): string | undefined =>
  (game?.clock ?? board.clock)?.held;

/**
 * Whether the player of `board` prepares a move instead of playing it: the host is elsewhere, or has moved and not left
 * yet. `held`: why the clocks of the game are held.
 */
export const prepares = ({ mode, status, at }: SimulSnapshot, board: SimulBoard, held: string | undefined): boolean =>
  mode === 'round' && status === 'running' && board.status !== 'over' && (at !== board.board || held === 'round');
