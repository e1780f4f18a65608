/** Asking for a game: become somebody if need be, ask, and go to the game that comes of it. */

import type { App } from '../app';
import type { Incoming, Outgoing } from '../protocol';

export async function askForGame(app: App, message: Outgoing): Promise<Incoming | undefined> {
  const from = location.pathname;
  const reply = await app.attempt(async () => {
    await app.session.ensure();
    return app.socket.change(message);
  });
  // Of a game against oneself nothing else tells.
  if (typeof reply?.g === 'string' && !app.socket.games.includes(reply.g)) {
    app.socket.games = [...app.socket.games, reply.g];
  }
  if (typeof reply?.g === 'string' && location.pathname === from) app.navigate(`/game/${reply.g}`);
  else if (message.t === 'challenge' && typeof reply?.challenge === 'string') {
    app.socket.askInvitations();
    app.navigate(`/challenge/${reply.challenge}`);
  }
  return reply;
}
