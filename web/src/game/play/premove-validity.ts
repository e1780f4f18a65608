/** Whether a premove still stands after the game went on. */

import type { Color, GameSnapshot } from '../../net/protocol';

type Stand = Pick<GameSnapshot, 'moves' | 'turn'>;

export function sameMoves(was: readonly string[], now: readonly string[]): boolean {
  return was === now || (was.length === now.length && begins(now, was));
}

/**
 * Whether a premove made in `was` still waits in `now`. Since then only `sent`, the move on its way, and one answer of
 * the opponent may have been played. After anything else (a takeback, a move from another device) the position is not
 * the one it was meant for.
 */
export function keepsPremove(was: Stand, now: Stand, own: readonly Color[], sent: string | null): boolean {
  if (sameMoves(was.moves, now.moves)) return true;
  const mine = own.includes(was.turn);
  if (mine && sent === null) return false;
  const known = sent !== null && mine ? [...was.moves, sent] : was.moves;
  return begins(now.moves, known) && now.moves.length <= known.length + 1;
}

const begins = (moves: readonly string[], first: readonly string[]): boolean =>
  first.length <= moves.length && first.every((move, index) => move === moves[index]);
