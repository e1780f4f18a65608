import { describe, expect, it } from 'vitest';
import { Seat } from '../../../src/game/play/seat';
import type { Socket } from '../../../src/net/socket';
import { provisionalGame } from '../../../src/simul/state/provisional-game';
import { GameStore } from '../../../src/state/game-store';
import { board, snapshot } from '../../simul/boards';

function seatOf(user: string | null): [Seat, GameStore] {
  const store = new GameStore();
  store.guess(provisionalGame(snapshot(), board(1, { color: 'b', turn: 'host' })));
  const socket = { state: 'open', user: user === null ? null : { id: user } } as unknown as Socket;
  return [new Seat(socket, store), store];
}

describe('the board of a simul', () => {
  it('is seen from the side of the host, also by spectators', () => {
    const [seat, store] = seatOf(null);
    expect(seat.bottom(store.game!)).toBe('b');
    seat.flip();
    expect(seat.bottom(store.game!)).toBe('w');
  });

  it('is seen by its player from their own side', () => {
    const [seat, store] = seatOf('p1');
    expect(seat.bottom(store.game!)).toBe('w');
  });
});
