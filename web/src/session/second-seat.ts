/** The second player on this device: a guest with a session and a socket of their own, which last as long as the tab. */

import { browserStorage } from '../browser/storage';
import { msgpack, openMsgpackTransport } from '../net/msgpack-transport';
import { Refused, type Guest, type User } from '../net/protocol';
import { Socket } from '../net/socket';
import { say, sentence } from '../words/words';

/** Of the application. */
interface Services {
  changed(): void;
  say(text: string): void;
}

const KEPT = 'second.player';

export class SecondSeat {
  readonly user: User;
  readonly socket: Socket;

  private constructor(app: Services, { token, user }: Guest) {
    this.user = user;
    this.socket = new Socket(() => openMsgpackTransport(token), msgpack);
    this.socket.onchange = () => app.changed();
    this.socket.ondelay = (why) => app.say(sentence(why));
  }

  /**
   * The guest of this tab, or a new one; connected.
   *
   * @throws Refused
   */
  static async open(app: Services): Promise<SecondSeat> {
    const kept = keptGuest();
    const guest = kept !== null && (await isKnown(kept)) ? kept : await newGuest();
    keep(guest);
    const second = new SecondSeat(app, guest);
    try {
      await second.socket.reopen();
    } catch (error) {
      second.close();
      throw error;
    }
    return second;
  }

  /** The guest of this tab, after it was loaded again, if they play; otherwise null. */
  static restore(app: Services, plays: (id: string) => boolean): SecondSeat | null {
    const guest = keptGuest();
    if (guest === null || !plays(guest.user.id)) return null;
    const second = new SecondSeat(app, guest);
    second.socket.connect();
    return second;
  }

  close(): void {
    this.socket.leave();
  }
}

function keptGuest(): Guest | null {
  try {
    return JSON.parse(browserStorage('session')?.getItem(KEPT) ?? 'null') as Guest | null;
  } catch {
    return null;
  }
}

function keep(guest: Guest): void {
  try {
    browserStorage('session')?.setItem(KEPT, JSON.stringify(guest));
  } catch {
    // The storage is full: they play until the page is loaded again.
  }
}

/** Whether the session still exists. The cookie of the page is not sent. */
async function isKnown({ token }: Guest): Promise<boolean> {
  return (await fetch('/api/v1/me', { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' })).ok;
}

/** The cookie of the page is neither sent nor set. */
async function newGuest(): Promise<Guest> {
  const response = await fetch('/api/v1/guest', { method: 'POST', credentials: 'omit' });
  if (!response.ok) throw new Refused('unavailable', say('refused.status', { status: response.status }));
  return (await response.json()) as Guest;
}
