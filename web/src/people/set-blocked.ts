/** Block and unblock, from wherever. */

import type { App } from '../app';
import { call } from '../net/api';
import type { User } from '../net/protocol';

export const BLOCKS = '/api/v1/blocks';

/** Returns whether it was done. The blocked person's invitations go: they cannot be accepted. */
export async function setBlocked(app: App, { id, name }: User, on: boolean): Promise<boolean> {
  const done = await app.attempt(async () => {
    await call(on ? 'PUT' : 'DELETE', `${BLOCKS}/${encodeURIComponent(name)}`);
    return true;
  });
  if (done === undefined) return false;
  const me = app.socket.user?.id;
  if (on) for (const { challenge, from } of app.invitations.to(me)) if (from.id === id) app.forget(challenge);
  return true;
}
