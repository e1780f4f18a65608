/** What a player may do now, as far as the page can tell. The server decides. */

import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { left_ms } from '../../time/clock';
import { isPromoting } from './hands';

/**
 * `free`: no piece is touched yet; `touched`: one is; `made`: the piece is put down and the clock is to be pressed;
 * `waiting`: it is not their turn.
 */
export type Stage = 'waiting' | 'free' | 'touched' | 'made';

export function stageOf({ laws, status, turn }: GameSnapshot, me: Color): Stage {
  if (!laws || status === 'over' || turn !== me) return 'waiting';
  if (laws.made !== null) return 'made';
  return laws.touched.length > 0 ? 'touched' : 'free';
}

/** Whether the move of `me` is complete but for the clock. */
export const isReady = (game: GameSnapshot, me: Color): boolean => stageOf(game, me) === 'made' && !isPromoting(game);

/** Whether the terms let `me` offer a draw with the move that is made. */
export function mayOfferDraw({ laws, moves, offers }: GameSnapshot, me: Color): boolean {
  if (!laws || laws.draw_from === null || offers.draw === me) return false;
  // With the one that is made.
  const made = Math.floor(moves.length / 2) + 1;
  return made >= laws.draw_from;
}

/** Touching a piece takes the right to claim (9.4). */
export const mayClaimDraw = (game: GameSnapshot, me: Color): boolean => stageOf(game, me) === 'free' && game.moves.length > 0;

/** Whether the flag of the opponent is down, where it is to be claimed. */
export function flagOfOpponent({ clock, laws, status }: GameSnapshot, me: Color, now: number): boolean {
  return laws?.flag === 'claim' && status !== 'over' && clock !== null && left_ms(clock, opposite(me), now) <= 0;
}
