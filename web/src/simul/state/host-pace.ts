/** Progress and pace of a simul, and its estimated end. */

import type { Score, SimulBoard } from '../../net/protocol';

const WINDOW_MS = 5 * 60_000;
/** Fewer moves say nothing about the pace. */
const LEAST_MOVES = 5;
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

/** `hostMoves`: times of the host's moves, oldest first. */
export function paceOf(boards: Iterable<SimulBoard>, hostMoves: readonly number[], now: number): Pace {
  const recent = hostMoves.filter((at) => now - at < WINDOW_MS);
  if (recent.length < LEAST_MOVES) return { perMinute: null, end: null };
  const span_ms = Math.max(1_000, now - recent[0]!);
  const perMinute = (recent.length * 60_000) / span_ms;
  const left = movesLeft(boards);
  return { perMinute, end: left === 0 ? null : now + (left / perMinute) * 60_000 };
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
