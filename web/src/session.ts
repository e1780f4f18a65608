/** Who is at the page: nobody until something is done that needs a name, then a guest. */

import { Refused, type Failure, type User } from './protocol';
import type { Socket } from './socket';
import { say } from './words';

/** Nobody waits longer than this for a name. */
const ANSWER_MS = 15_000;

export class Session {
  private pending: Promise<User> | null = null;

  constructor(private readonly socket: Socket) {}

  /** The user, made a guest if need be. The cookie is the server's business; the page never keeps a token. */
  ensure(): Promise<User> {
    if (this.socket.user) return Promise.resolve(this.socket.user);
    this.pending ??= this.become().finally(() => (this.pending = null));
    return this.pending;
  }

  private async become(): Promise<User> {
    // To a page that has a session already, from another tab, the server gives that one again.
    const guest = await fetch('/api/v1/guest', { method: 'POST', signal: AbortSignal.timeout(ANSWER_MS) });
    if (!guest.ok) throw await refusal(guest);
    await this.socket.reopen();
    if (!this.socket.user) throw new Refused('unauthenticated', say('refused.cookie'));
    return this.socket.user;
  }
}

async function refusal(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => null)) as Partial<Failure> | null;
  return new Refused(body?.error?.code ?? 'unavailable', body?.error?.message ?? say('refused.status', { status: response.status }));
}
