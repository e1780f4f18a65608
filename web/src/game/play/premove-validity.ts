/** How a game went on between two tellings of it, and what that leaves of a move made ahead. */

import type { Color, GameSnapshot } from '../../net/protocol';

type Stand = Pick<GameSnapshot, 'moves' | 'turn'>;

export function sameMoves(was: readonly string[], now: readonly string[]): boolean {
  return was === now || (was.length === now.length && begins(now, was));
}

/**
 * Whether a move that was made ahead in `was` still waits for its own turn in `now`: since then only `sent`, the
 * person's move on its way, and one answer of the opponent may have come. Any other course (a takeback, a move of his
 * made elsewhere) has led to a position that it was not meant for.
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
