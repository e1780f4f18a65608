/** What the board shows: the newest position, an earlier one, or one's own move that is not answered yet. */

import type { BoardView } from '../board';
import { squares, type Destinations } from '../moves';
import type { Color, GameSnapshot } from '../protocol';
import { opposite } from '../store';
import type { Hand } from './hand';
import { fenOf, played, type Replay } from './replay';

export interface Looks {
  game: GameSnapshot;
  own: readonly Color[];
  bottom: Color;
  /** Half-moves on the board that is looked at. */
  shown: number;
  replay: Replay;
  hand: Hand;
  destinations: Destinations | null;
  /** The person likes to move ahead of his turn. */
  premove: boolean;
}

export function boardView({ game, own, bottom, shown, replay, hand, destinations, premove }: Looks): BoardView {
  const live = shown === game.moves.length;
  const ahead = own.length === 1 && premove && live && game.status !== 'over' ? own[0]! : null;
  const held = live ? hand.held : null;
  const castlesAnywhere = game.variant === 'chess960';
  if (held !== null) {
    return {
      fen: fenOf(played(replay.at(shown, game.moves), held)),
      bottom,
      turn: opposite(game.turn),
      last: squares(held),
      check: false,
      destinations: null,
      ahead: hand.asking === null ? ahead : null,
      castlesAnywhere,
    };
  }
  const last = game.moves[shown - 1];
  return {
    fen: live ? game.position : fenOf(replay.at(shown, game.moves)),
    bottom,
    turn: (game.moves.length - shown) % 2 === 0 ? game.turn : opposite(game.turn),
    last: last === undefined ? [] : squares(last),
    check: /[+#]$/.test(game.notation[shown - 1] ?? ''),
    destinations: live && game.clock?.held !== 'pause' ? destinations : null,
    ahead,
    castlesAnywhere,
  };
}
