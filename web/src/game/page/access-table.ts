/** What keyboard and ear have of the game. */

import type { Table } from '../../access/table';
import type { GameSnapshot } from '../../net/protocol';
import type { ServerTime } from '../../net/server-time';
import type { Telling } from '../../notation/tell-move';
import { left_ms } from '../../time/clock';
import type { Mover } from '../play/move-controller';
import type { Departure } from '../play/opponent-absence';
import type { Seat } from '../play/seat';

interface Sources {
  seat: Seat;
  mover: Mover;
  departure: Departure;
  time: ServerTime;
  telling: Telling;
}

/** The board being looked at after `shown` half-moves. */
export function tableOf(game: GameSnapshot, shown: number, { seat, mover, departure, time, telling }: Sources): Table {
  const { hand, field } = mover;
  return {
    game,
    kind: field.kind!,
    telling,
    own: seat.own(),
    bottom: seat.bottom(game),
    shown,
    position: field.position(shown, game),
    legal: game.clock?.held === 'pause' || hand.sent !== null ? null : field.told,
    leaps: field.leaps,
    underway: hand.sent?.move ?? null,
    premove: field.board.premove,
    asking: hand.asking,
    choosing: hand.choosing,
    away_ms: departure.left_ms(Date.now()),
    left_ms: (color) => game.clock && left_ms(game.clock, color, time.now()),
    ahead: () => field.board.ahead(),
  };
}
