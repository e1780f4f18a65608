/** A game on a mini board: position and players, without moves. */

import type { Color, GameSnapshot, LiveGame, Mini as WireMini, MiniChange, Seat } from '../net/protocol';
import { say } from '../words/words';

/** The shown part of the first `mini` of a game and of later changes. */
export type Mini = Omit<WireMini, 't' | 'seq' | 'rules' | 'players'> & { players: Record<Color, Seat> };

/** The side at the bottom of the board: spectators see a board of a simul as its host does. */
export const sideShown = ({ simul_host }: { simul_host?: Color }): Color => simul_host ?? 'w';

/** Whether the person with this id plays it. */
export const isOwn = ({ players: { w, b } }: Mini, me: string | undefined): boolean => me !== undefined && [w.user?.id, b.user?.id].includes(me);

/** The state after `message`. Each message has all that may have changed. */
export function miniAfter(was: Mini | null, message: WireMini | MiniChange): Mini | null {
  if ('players' in message) return message;
  return was && { ...was, ...message };
}

/** From a list entry, until the game is followed. */
export function miniOfCard(card: LiveGame): Mini {
  return { ...card, ply: card.plies, leaps: null, check: false, next: null, simul: card.simul ?? null };
}

/** From a game that is followed completely. */
export function miniOfGame(game: GameSnapshot): Mini {
  return {
    ...game,
    last: game.moves.at(-1) ?? null,
    leaps: game.leaps?.at(-1) ?? null,
    ply: game.moves.length,
    check: /[+#]$/.test(game.notation.at(-1) ?? ''),
  };
}

/** The number of the move that is played now. */
export const moveNumber = (ply: number): number => 1 + Math.floor(ply / 2);

/** What a game is that stands for all boards of a simul: `Simul · 20 boards`. */
export const simulText = (boards: number): string => `${say('do.simul')} · ${say('count.boards', { n: boards })}`;
