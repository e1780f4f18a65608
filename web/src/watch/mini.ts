/** A game as a mini board knows it: where it stands and who plays, without its moves. */

import type { Color, GameSnapshot, LiveGame, MiniChange, Seat, Mini as WireMini } from '../net/protocol';

/** What the first `mini` of a game tells, and what the others change of it, as far as it is shown. */
export type Mini = Omit<WireMini, 't' | 'seq' | 'rules' | 'players'> & { players: Record<Color, Seat> };

/** What is known after `message`, a `mini`; each tells all that may have changed, so none is ever missing. */
export function miniAfter(was: Mini | null, message: WireMini | MiniChange): Mini | null {
  if ('players' in message) return message;
  return was && { ...was, ...message };
}

/** From a line of a list, until the game itself is heard of. */
export function miniOfCard(card: LiveGame): Mini {
  return { ...card, ply: card.plies, leaps: null, check: false, next: null, simul: null };
}

/** From a game that is followed as a whole. */
export function miniOfGame(game: GameSnapshot): Mini {
  return {
    ...game,
    last: game.moves.at(-1) ?? null,
    leaps: game.leaps?.at(-1) ?? null,
    ply: game.moves.length,
    check: /[+#]$/.test(game.notation.at(-1) ?? ''),
  };
}
