import { describe, expect, it } from 'vitest';
import { Seat } from '../../../src/game/play/seat';
import type { Socket } from '../../../src/net/socket';
import type { SecondSeat } from '../../../src/session/second-seat';
import { provisionalGame } from '../../../src/simul/state/provisional-game';
import { GameStore } from '../../../src/state/game-store';
import { board, snapshot } from '../../simul/boards';
import { SNAPSHOT } from '../../state/snapshot';

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

describe('two players on one device', () => {
  const socket = { state: 'open', user: { id: 'anna' } } as unknown as Socket;
  const second = { socket: {}, user: { id: 'ben' } } as unknown as SecondSeat;
  const store = new GameStore();
  store.take(SNAPSHOT);

  it('each act through a socket of their own', () => {
    const seat = new Seat(socket, store, undefined, () => second);
    expect([seat.ownSides(), seat.side(), seat.isShared()]).toEqual([['w', 'b'], null, true]);
    expect([seat.socketOf('w'), seat.socketOf('b')]).toEqual([socket, second.socket]);
    expect(seat.bottom(store.game!)).toBe('w');
  });

  it('keep their places when the colours change', () => {
    const other = new GameStore();
    other.take({ ...SNAPSHOT, players: { w: SNAPSHOT.players.b, b: SNAPSHOT.players.w } });
    expect(new Seat(socket, other, undefined, () => second).bottom(other.game!)).toBe('b');
  });

  it('are not there in other games', () => {
    const seat = new Seat(socket, store);
    expect([seat.ownSides(), seat.isShared()]).toEqual([['w'], false]);
    expect(seat.socketOf('b')).toBe(socket);
  });
});
