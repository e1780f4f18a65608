/** Times of a game's moves and clocks, from its snapshot. Pure. */

import type { Clock, Color, GameSnapshot, TimeControl } from '../net/protocol';
import { opposite } from '../notation/color';

type Played = Pick<GameSnapshot, 'moves' | 'times' | 'turn' | 'tc' | 'tcs' | 'variant'>;
type Control = TimeControl | NonNullable<GameSnapshot['tcs']>[Color];

/** For games without clocks, or with days per move. */
const UNKNOWN_MS = 1_000;
/** Shortest time, so that instant moves can be seen. */
const LEAST_MS = 250;

/** The side of half-move `ply`, counted from 1. */
export const moverOf = (game: Pick<Played, 'moves' | 'turn'>, ply: number): Color =>
  (game.moves.length - ply) % 2 === 0 ? opposite(game.turn) : game.turn;

/** Whether the snapshot has the times of the moves. */
export function isTimed(game: Played): boolean {
  return game.times.length === game.moves.length && (['w', 'b'] as const).every((color) => start_ms(controlOf(game, color)) !== null);
}

/** Time that half-move `ply` took, in ms; approximate with a delay. */
export function spent_ms(game: Played, ply: number): number {
  if (!isTimed(game)) return UNKNOWN_MS;
  const control = controlOf(game, moverOf(game, ply));
  const before = before_ms(game, ply);
  const after = game.times[ply - 1]!;
  return Math.max(LEAST_MS, usedOf(control, before - after));
}

/** Both clocks after `ply` half-moves; null without clocks. */
export function clocksAt(game: Played, ply: number): Record<Color, number> | null {
  if (!isTimed(game)) return null;
  const of = (color: Color) => {
    const last = moverOf(game, ply) === color ? ply : ply - 1;
    return last > 0 ? game.times[last - 1]! : start_ms(controlOf(game, color))!;
  };
  return { w: of('w'), b: of('b') };
}

/** The clocks when the next move after `ply` had taken `thought_ms`; null without clocks. */
export function clockThen(game: Played, ply: number, thought_ms: number): Clock | null {
  const left = clocksAt(game, ply);
  if (left === null) return null;
  const over = ply >= game.moves.length;
  const mover = moverOf(game, ply + 1);
  if (!over) left[mover] = Math.max(0, left[mover] - Math.max(0, Math.min(thought_ms, spent_ms(game, ply + 1))));
  // It does not run: no time is after this one.
  return { ...left, run: over ? null : mover, at: Number.MAX_SAFE_INTEGER };
}

function before_ms(game: Played, ply: number): number {
  return ply > 2 ? game.times[ply - 3]! : start_ms(controlOf(game, moverOf(game, ply)))!;
}

const controlOf = ({ tc, tcs }: Played, color: Color): Control => tcs?.[color] ?? tc;

/** Base time; null without a running clock. */
function start_ms(control: Control): number | null {
  if (control === null || 'days' in control || 'move_s' in control) return null;
  return 1000 * ('periods' in control ? (control.periods[0]?.base_s ?? 0) : control.base_s);
}

/** Time used if the clock went down by `less_ms`. */
function usedOf(control: Control, less_ms: number): number {
  if (control === null || 'days' in control || 'move_s' in control) return UNKNOWN_MS;
  if ('periods' in control) {
    const inc_ms = 1000 * (control.periods[0]?.inc_s ?? 0);
    // The time of the next period was added.
    const added = control.periods.slice(1).map(({ base_s }) => 1000 * base_s);
    return [0, ...added].map((more) => less_ms + inc_ms + more).find((used) => used >= 0) ?? 0;
  }
  const { inc_s = 0, delay_s = 0, bronstein_s = 0 } = control;
  const free_ms = 1000 * (delay_s + bronstein_s);
  if (free_ms > 0) return less_ms > 0 ? less_ms + free_ms : free_ms / 2;
  return less_ms + 1000 * inc_s;
}
