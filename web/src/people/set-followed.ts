/** Follow and unfollow, from wherever. */

import type { App } from '../app';
import { call } from '../net/api';
import { say } from '../words/words';

export const FOLLOWS = '/api/v1/follows';

/** Returns whether it was done. */
export async function setFollowed(app: App, name: string, on: boolean): Promise<boolean> {
  const done = await app.attempt(async () => {
    await call(on ? 'PUT' : 'DELETE', `${FOLLOWS}/${encodeURIComponent(name)}`);
    return true;
  });
  if (done === undefined) return false;
  if (on) app.say(say('follow.done', { name }), { href: '/players', label: say('players.title') });
  else app.say(say('follow.ended', { name }));
  return true;
}
