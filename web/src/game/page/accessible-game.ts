/** The game for the accessibility layer. */

import type { AccessibleGame, LawsAccess } from '../../access/accessible-game';
import type { GameSnapshot } from '../../net/protocol';
import type { ServerTime } from '../../net/server-time';
import type { TellingStyle } from '../../notation/tell-move';
import type { Hint } from '../../state/hints';
import { left_ms } from '../../time/clock';
import { firstMoveLeft_ms } from '../play/first-move';
import type { MoveController } from '../play/move-controller';
import type { OpponentAbsence } from '../play/opponent-absence';
import type { Seat } from '../play/seat';

interface Sources {
  seat: Seat;
  mover: MoveController;
  absence: OpponentAbsence;
  hint: Hint | null;
  laws: LawsAccess | null;
  time: ServerTime;
  telling: TellingStyle;
}

/** With the board after `shown` half-moves. */
export function accessibleGame(game: GameSnapshot, shown: number, { seat, mover, absence, hint, laws, time, telling }: Sources): AccessibleGame {
  const { pending, gameBoard } = mover;
  return {
    game,
    kind: gameBoard.kind!,
    telling,
    own: seat.ownSides(),
    bottom: seat.bottom(game),
    shown,
    position: gameBoard.position(shown, game),
    legal: game.clock?.held === 'pause' || pending.sent !== null ? null : gameBoard.legalMoves,
    leaps: gameBoard.leaps,
    underway: pending.sent?.move ?? null,
    premove: gameBoard.board.premove,
    confirming: pending.confirming,
    choosing: pending.choosing,
    hint,
    laws,
    away_ms: absence.left_ms(Date.now()),
    first_ms: firstMoveLeft_ms(game, time.now()),
    left_ms: (color) => game.clock && left_ms(game.clock, color, time.now()),
    premoveOptions: () => gameBoard.board.premoveOptions(),
  };
}
