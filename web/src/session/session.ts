/** Who is at the page: nobody until something is done that needs a name, then a guest, or whoever logs in. */

import { call } from '../net/api';
import { Refused, type Guest, type User } from '../net/protocol';
import type { Socket } from '../net/socket';
import { say } from '../words/words';

/** What the page's other tabs are told by. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

export class Session {
  /** Whether who one is changes just now because it was asked for in this tab. */
  changing = false;
  private pending: Promise<User> | null = null;

  /** `channel`: null where the browser has none; the other tabs then learn it from the server, or when they ask. */
  constructor(
    private readonly socket: Socket,
    private readonly channel: Channel | null = null,
  ) {
    if (channel) channel.onmessage = () => void this.toldByOtherTab();
  }

  /** The user, made a guest if need be. The cookie is the server's business; the page never keeps a token. */
  ensure(): Promise<User> {
    if (this.socket.user) return Promise.resolve(this.socket.user);
    this.pending ??= this.become().finally(() => (this.pending = null));
    return this.pending;
  }

  /**
   * Do what makes the person somebody else (signing up, logging in or out), and go on as who he is then.
   *
   * @throws Refused what `what` throws; then nothing has changed.
   */
  async change(what: () => Promise<unknown>): Promise<void> {
    this.changing = true;
    try {
      await what();
      this.channel?.postMessage(null);
      // Without a line it is done all the same, and the next one knows.
      await this.socket.reopen().catch(() => undefined);
      this.socket.onuserchange();
    } finally {
      this.changing = false;
    }
  }

  /** Be nobody from now on. */
  logOut(): Promise<void> {
    return this.change(() => call('POST', '/api/v1/logout'));
  }

  private async become(): Promise<User> {
    // To a page that has a session already, from another tab, the server gives that one again.
    await call<Guest>('POST', '/api/v1/guest');
    await this.socket.reopen();
    if (!this.socket.user) throw new Refused('unauthenticated', say('refused.cookie'));
    return this.socket.user;
  }

  /** A stranger's line is not closed by the server when he logs in elsewhere: only the other tab can tell. */
  private async toldByOtherTab(): Promise<void> {
    const was = this.socket.user;
    await this.socket.reopen().catch(() => undefined);
    const { user } = this.socket;
    if (was?.id !== user?.id || was?.name !== user?.name) this.socket.onuserchange();
  }
}
