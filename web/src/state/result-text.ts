/** A game's result in words. */

import type { Color, GameSnapshot } from '../net/protocol';
import { nameOf, say } from '../words/words';

/** The reason of the end. */
export function endOf(game: Pick<GameSnapshot, 'reason'> & Partial<Pick<GameSnapshot, 'no_show' | 'turn'>>): string {
  if (game.no_show && game.turn) return say('reason.no-show', { side: say(`side.${game.turn}`) });
  return game.reason === null ? '' : nameOf('reason', game.reason);
}

/** The score; empty for a game without a result. */
export const resultOf = ({ result }: Pick<GameSnapshot, 'result'>): string =>
  result === '*' ? '' : result.replace('1/2-1/2', '½-½');

/** Who won, for the player `me` or for spectators. */
export function outcome(game: GameSnapshot, me: Color | null): string {
  if (game.result === '1/2-1/2') return say('end.draw');
  if (game.result === '*') return say('end.none');
  const winner: Color = game.result === '1-0' ? 'w' : 'b';
  if (me === null) return say(`end.${winner}`);
  return say(me === winner ? 'end.you' : 'end.lost');
}
