/** The board's view: the newest position, an earlier one, or the player's own move before the answer. */

import type { GameKind } from '../../board/core/game-kind';
import type { BoardView, LegalLeaps } from '../../board/core/play-board';
import type { Replay } from '../../board/replay';
import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import type { Destinations } from '../../notation/uci';
import { gameOf } from '../../variants/registry';
import type { PendingMove } from './pending-move';

export interface BoardViewInput {
  game: GameSnapshot;
  own: readonly Color[];
  bottom: Color;
  /** Half-moves on the displayed board. */
  shown: number;
  kind: GameKind;
  replay: Replay;
  pending: PendingMove;
  destinations: Destinations | null;
  /** Paths of the legal captures. */
  leaps: LegalLeaps | null;
  /** Whether premoves are enabled. */
  premove: boolean;
}

export function boardView({ game, own, bottom, shown, kind, replay, pending, destinations, leaps, premove }: BoardViewInput): BoardView {
  const live = shown === game.moves.length;
  const ahead = own.length === 1 && premove && live && game.status !== 'over' ? own[0]! : null;
  const held = live ? pending.shownMove : null;
  const { starts, promotions } = gameOf(game.variant);
  const chess = { castlesAnywhere: starts > 1, ...(promotions === undefined ? {} : { promotions }) };
  if (held !== null) {
    const way = leaps?.[held]?.[0] ?? null;
    return {
      fen: kind.write(kind.played(replay.at(shown, game.moves, game.leaps), held, way), opposite(game.turn)),
      bottom,
      turn: opposite(game.turn),
      last: kind.endpoints(held),
      movePath: kind.pathOf(held, way),
      check: false,
      destinations: null,
      premoveColor: pending.confirming === null ? ahead : null,
      ...chess,
    };
  }
  const last = game.moves[shown - 1];
  const turn = (game.moves.length - shown) % 2 === 0 ? game.turn : opposite(game.turn);
  return {
    fen: live ? game.position : kind.write(replay.at(shown, game.moves, game.leaps), turn),
    bottom,
    turn,
    last: last === undefined ? [] : kind.endpoints(last),
    movePath: last === undefined ? null : kind.pathOf(last, game.leaps?.[shown - 1] ?? null),
    check: /[+#]$/.test(game.notation[shown - 1] ?? ''),
    destinations: live && game.clock?.held !== 'pause' ? destinations : null,
    leaps,
    premoveColor: ahead,
    ...chess,
  };
}
