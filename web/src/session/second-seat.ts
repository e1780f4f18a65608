/** The second player on this device: a guest with a session and a socket of their own, which are kept in memory only. */

import { msgpack, openMsgpackTransport } from '../net/msgpack-transport';
import { Refused, type Guest, type User } from '../net/protocol';
import { Socket } from '../net/socket';
import { say } from '../words/words';

export class SecondSeat {
  /** Their game. */
  g: string | null = null;

  private constructor(
    readonly socket: Socket,
    readonly user: User,
  ) {}

  /**
   * A new guest, connected. `changed`: what they see has changed.
   *
   * @throws Refused
   */
  static async open(changed: () => void): Promise<SecondSeat> {
    const { token, user } = await newGuest();
    const socket = new Socket(() => openMsgpackTransport(token), msgpack);
    const second = new SecondSeat(socket, user);
    socket.onchange = changed;
    socket.onpush = (message) => {
      if (message.t === 'paired') second.g = message.g;
    };
    await socket.reopen();
    return second;
  }

  close(): void {
    this.socket.leave();
  }
}

/** The cookie of the page is neither sent nor set. */
async function newGuest(): Promise<Guest> {
  const response = await fetch('/api/v1/guest', { method: 'POST', credentials: 'omit' });
  if (!response.ok) throw new Refused('unavailable', say('refused.status', { status: response.status }));
  return (await response.json()) as Guest;
}
