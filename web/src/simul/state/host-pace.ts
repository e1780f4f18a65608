/** How far an exhibition has come, how fast the host is, and when it may end. */

import type { Score, SimulBoard } from '../../net/protocol';

const WINDOW_MS = 5 * 60_000;
/** Fewer of the host's moves tell nothing of his pace. */
const LEAST_MOVES = 5;
/** What is asked of a game of which nothing is known: moves of the host. */
const USUAL_MOVES = 35;
/** A game that has gone on for longer than others goes on for so many more. */
const REST_MOVES = 8;
/** So many games must be over before their length says more than what is usual. */
const LEAST_GAMES = 4;

export interface Pace {
  /** The host's moves a minute; null while too few were seen. */
  perMinute: number | null;
  /** When the last board may be over, as an instant; null while nothing can be said. */
  end: number | null;
}

/** `hostMoves`: instants of his moves, the newest last. */
export function paceOf(boards: Iterable<SimulBoard>, hostMoves: readonly number[], now: number): Pace {
  const recent = hostMoves.filter((at) => now - at < WINDOW_MS);
  if (recent.length < LEAST_MOVES) return { perMinute: null, end: null };
  const span_ms = Math.max(1_000, now - recent[0]!);
  const perMinute = (recent.length * 60_000) / span_ms;
  const left = movesLeft(boards);
  return { perMinute, end: left === 0 ? null : now + (left / perMinute) * 60_000 };
}

/** Moves that the host may have to make yet, by what his other games have taken. */
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

/** The host's points of all that are decided: `7½`, and out of how many. */
export function pointsOf({ wins, draws, losses }: Score): { points: number; of: number } {
  return { points: wins + draws / 2, of: wins + draws + losses };
}

/** What part of the boards is over, from 0 to 1. */
export function doneOf({ wins, draws, losses, aborted, live }: Score): number {
  const all = wins + draws + losses + aborted + live;
  return all === 0 ? 0 : (all - live) / all;
}

/** `7½`. */
export function halves(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ''}½`;
}
