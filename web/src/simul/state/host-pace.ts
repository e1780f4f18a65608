/** Progress and pace of a simul, and its estimated end. */

import type { Score, SimulBoard } from '../../net/protocol';

const WINDOW_MS = 5 * 60_000;
/** Fewer moves say nothing about the pace. */
const LEAST_MOVES = 5;
/** Moves of the host per board, and time, before the end is estimated: the opening is played faster. */
const LEAST_PER_BOARD = 5;
const LEAST_PLAYED_MS = 3 * 60_000;
/** The end is a guess: it is told in steps of five minutes. */
const STEP_MS = 5 * 60_000;
/** Expected moves of a game before any has ended. */
const USUAL_MOVES = 35;
/** Expected further moves of a game that is longer than usual. */
const REST_MOVES = 8;
/** Finished games needed to estimate the usual length. */
const LEAST_GAMES = 4;

export interface Pace {
  /** The host's moves per minute; null while too few were seen. */
  perMinute: number | null;
  /** When the last board may end, as a time; null if unknown. */
  end: number | null;
}

/** `hostMoves`: times of the host's moves that were seen, oldest first; `started`: when the simul began. */
export function paceOf(boards: readonly SimulBoard[], hostMoves: readonly number[], now: number, started: number | null): Pace {
  const recent = hostMoves.filter((at) => now - at < WINDOW_MS);
  const span_ms = Math.max(1_000, now - (recent[0] ?? now));
  return { perMinute: recent.length < LEAST_MOVES ? null : (recent.length * 60_000) / span_ms, end: endOf(boards, now, started) };
}

/** From the pace since the start: that of the last minutes would move it to and fro. */
function endOf(boards: readonly SimulBoard[], now: number, started: number | null): number | null {
  const played_ms = started === null ? 0 : now - started;
  const moves = boards.reduce((sum, { ply }) => sum + ply / 2, 0);
  const left = movesLeft(boards);
  if (left === 0 || played_ms < LEAST_PLAYED_MS || moves < boards.length * LEAST_PER_BOARD) return null;
  return Math.ceil((now + (left * played_ms) / moves) / STEP_MS) * STEP_MS;
}

/** Estimate of the host's remaining moves, from the length of finished games. */
export function movesLeft(boards: Iterable<SimulBoard>): number {
  const live: number[] = [];
  let over = 0;
  let sum = 0;
  for (const { status, ply } of boards) {
    const moves = ply / 2;
    if (status !== 'over') live.push(moves);
    else {
      over += 1;
      sum += moves;
    }
  }
  const usual = over >= LEAST_GAMES ? sum / over : USUAL_MOVES;
  return Math.round(live.reduce((all, moves) => all + Math.max(REST_MOVES, usual - moves), 0));
}

/** The host's points, and the number of decided games. */
export function pointsOf({ wins, draws, losses }: Score): { points: number; of: number } {
  return { points: wins + draws / 2, of: wins + draws + losses };
}

/** Fraction of finished boards. */
export function doneOf({ wins, draws, losses, aborted, live }: Score): number {
  const all = wins + draws + losses + aborted + live;
  return all === 0 ? 0 : (all - live) / all;
}

/** `7½`. */
export function halves(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ''}½`;
}
