/** The board's view: the newest position, an earlier one, or the player's own move before the answer. */

import type { GameKind } from '../../board/core/game-kind';
import type { BoardView, LegalLeaps } from '../../board/core/play-board';
import type { Replay } from '../../board/replay';
import type { Color, GameSnapshot, Leaps } from '../../net/protocol';
import { opposite } from '../../notation/color';
import type { Square } from '../../notation/pieces';
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
  /** The person will be able to move in a moment: a move waits until then. */
  soon: boolean;
  /** The suggested move; null if there is none. */
  hint: string | null;
}

export function boardView({ game, own, bottom, shown, kind, replay, pending, destinations, leaps, premove, soon, hint }: BoardViewInput): BoardView {
  const live = shown === game.moves.length;
  const ahead = own.length === 1 && (premove || soon) && live && game.status !== 'over' ? own[0]! : null;
  const held = live ? pending.shownMove : null;
  const at = (ply: number) => replay.at(ply, game.moves, game.leaps, game.laws?.positions);
  const { starts, promotions } = gameOf(game.variant);
  const chess = { castlesAnywhere: starts > 1, ...(promotions === undefined ? {} : { promotions }) };
  if (held !== null) {
    const way = leaps?.[held]?.[0] ?? null;
    return {
      fen: kind.write(kind.played(at(shown), held, way), opposite(game.turn)),
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
    fen: live ? game.position : kind.write(at(shown), turn),
    bottom,
    turn,
    last: last === undefined ? [] : kind.endpoints(last),
    movePath: last === undefined ? null : kind.pathOf(last, game.leaps?.[shown - 1] ?? null),
    check: /[+#]$/.test(game.notation[shown - 1] ?? ''),
    ...(live && hint !== null ? { hint: squaresOf(kind, hint, leaps?.[hint]?.[0] ?? null) } : {}),
    destinations: live && game.clock?.held !== 'pause' ? destinations : null,
    leaps,
    premoveColor: ahead,
    soon,
    ...chess,
  };
}

function squaresOf(kind: GameKind, move: string, way: Leaps | null): readonly Square[] {
  const path = kind.pathOf(move, way);
  return path === null ? kind.endpoints(move) : [path.from, ...path.path];
}
