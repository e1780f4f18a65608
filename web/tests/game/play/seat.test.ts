import { describe, expect, it } from 'vitest';
import { Seat } from '../../../src/game/play/seat';
import type { Socket } from '../../../src/net/socket';
import { provisionalGame } from '../../../src/simul/state/provisional-game';
import { GameStore } from '../../../src/state/game-store';
import { board, snapshot } from '../../simul/boards';

function seatOf(user: string | null, hosts: boolean | null, color: 'w' | 'b' = 'b'): [Seat, GameStore] {
  const store = new GameStore();
  store.guess(provisionalGame(snapshot(), board(1, { color, turn: 'host' })));
  const socket = { state: 'open', user: user === null ? null : { id: user } } as unknown as Socket;
  return [new Seat(socket, store, () => hosts), store];
}

describe('the board of a simul', () => {
  it('is seen from the side of the host, also by spectators', () => {
    const [seat, store] = seatOf(null, null);
    expect(seat.bottom(store.game!)).toBe('b');
    seat.flip();
    expect(seat.bottom(store.game!)).toBe('w');
  });

  it('is seen by its player from their own side', () => {
    const [seat, store] = seatOf('p1', null);
    expect(seat.bottom(store.game!)).toBe('w');
  });

  it('is played by the stand-in who has taken over, and not by the host then', () => {
    expect(seatOf('deputy', true)[0].ownSides()).toEqual(['b']);
    expect(seatOf('host', false)[0].ownSides()).toEqual([]);
    expect(seatOf('host', true)[0].ownSides()).toEqual(['b']);
    expect(seatOf('somebody', false)[0].ownSides()).toEqual([]);
  });
});
