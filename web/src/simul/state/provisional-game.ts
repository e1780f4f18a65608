/** A provisional snapshot of a board's game from what the simul tells, until the real one arrives. */

import type { GameSnapshot, Player, SimulBoard, SimulSnapshot, User } from '../../net/protocol';
import { speedOf } from '../../time/speed';
import { turnIn } from '../../variants/registry';
import { actsAsHost } from './simul-store';

export function provisionalGame(simul: SimulSnapshot, board: SimulBoard): GameSnapshot {
  const player = (user: User, rating: number | null, online: boolean, provisional = false): Player => ({
    user,
    rating,
    provisional: rating === null ? null : provisional,
    online,
  });
  const host = player(simul.host, null, simul.host_online);
  const other = player(board.user, board.rating, true, board.provisional);
  const [white, black] = board.color === 'w' ? [host, other] : [other, host];
  const game = {
    t: 'game',
    g: board.g,
    seq: 0,
    game: board.game ?? simul.game,
    variant: board.variant ?? simul.variant,
    rated: simul.rated,
    rules: 'online',
    speed: speedOf(simul.tc),
    tc: simul.tc,
    players: { w: white, b: black },
    you: actsAsHost(simul) ? board.color : null,
    // The moves are not known: as if the game started here.
    fen: board.position,
    moves: [],
    notation: [],
    times: [],
    position: board.position,
    turn: turnOf(board),
    clock: board.clock,
    offers: { draw: null, takeback: null, rematch: null },
    status: board.status,
    result: board.result,
    reason: board.reason ?? null,
    watchers: 0,
    simul: simul.simul,
    simul_host: board.color,
    next: null,
    match: null,
  };
  return game as GameSnapshot;
}

/** The side to move; for a finished board, from the position. */
export function turnOf({ turn, color, status, position }: SimulBoard): 'w' | 'b' {
  if (status === 'over') return turnIn(position) ?? 'w';
  return turn === 'host' ? color : color === 'w' ? 'b' : 'w';
}
