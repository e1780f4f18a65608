/** Who is at the page: nobody until something is done that needs a name, then a guest. */

import { Refused, type Failure, type User } from './protocol';
import type { Socket } from './socket';

export class Session {
  private pending: Promise<User> | null = null;

  constructor(private readonly socket: Socket) {}

  /** The user, made a guest if need be. The cookie is the server's business; the page never keeps a token. */
  ensure(): Promise<User> {
    if (this.socket.user) return Promise.resolve(this.socket.user);
    this.pending ??= this.become().finally(() => (this.pending = null));
    return this.pending;
  }

  /** The server did not take the socket: drop a session that it no longer knows. */
  async check(): Promise<void> {
    const me = await fetch('/api/v1/me').catch(() => null);
    if (me?.status === 401) await fetch('/api/v1/logout', { method: 'POST' }).catch(() => null);
  }

  private async become(): Promise<User> {
    // To a page that has a session already, from another tab, the server gives that one again.
    const guest = await fetch('/api/v1/guest', { method: 'POST' });
    if (!guest.ok) throw await refusal(guest);
    await this.socket.reopen();
    if (!this.socket.user) throw new Refused('unauthenticated', 'this browser does not keep the session cookie');
    return this.socket.user;
  }
}

async function refusal(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => null)) as Partial<Failure> | null;
  return new Refused(body?.error?.code ?? 'unavailable', body?.error?.message ?? `the server answered ${response.status}`);
}
