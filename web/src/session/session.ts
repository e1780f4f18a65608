/** The session: none until a name is needed, then a guest, or the person who logs in. */

import { call } from '../net/api';
import { Refused, type Guest, type User } from '../net/protocol';
import type { Socket } from '../net/socket';
import { say } from '../words/words';

/** Channel to the other tabs. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

export class Session {
  /** Whether this tab is changing the user. */
  changing = false;
  private pending: Promise<User> | null = null;

  /** `channel`: null if the browser has none; other tabs then learn of a change from the server. */
  constructor(
    private readonly socket: Socket,
    private readonly channel: Channel | null = null,
  ) {
    if (channel) channel.onmessage = () => void this.toldByOtherTab();
  }

  /** The user; a guest is created if needed. The session is a cookie that scripts cannot read. */
  ensure(): Promise<User> {
    if (this.socket.user) return Promise.resolve(this.socket.user);
    this.pending ??= this.become().finally(() => (this.pending = null));
    return this.pending;
  }

  /**
   * Do what changes the user (sign up, log in or out), and reconnect as the new one.
   *
   * @throws Refused what `what` throws; then nothing has changed
   */
  async change(what: () => Promise<unknown>): Promise<void> {
    this.changing = true;
    try {
      await what();
      this.channel?.postMessage(null);
      // Offline it is done all the same; the next connection has the new user.
      await this.socket.reopen().catch(() => undefined);
      this.socket.onuserchange();
    } finally {
      this.changing = false;
    }
  }

  /** End the session. */
  logOut(): Promise<void> {
    return this.change(() => call('POST', '/api/v1/logout'));
  }

  private async become(): Promise<User> {
    // If another tab has created a session, the server returns that one.
    await call<Guest>('POST', '/api/v1/guest');
    await this.socket.reopen();
    if (!this.socket.user) throw new Refused('unauthenticated', say('refused.cookie'));
    return this.socket.user;
  }

  /** The server does not close a stranger's connection when another tab logs in: only that tab can tell. */
  private async toldByOtherTab(): Promise<void> {
    const was = this.socket.user;
    await this.socket.reopen().catch(() => undefined);
    const { user } = this.socket;
    if (was?.id !== user?.id || was?.name !== user?.name) this.socket.onuserchange();
  }
}
