/** Starts a game of two people at this device: the second one is a guest with a session of their own. */

import type { App } from '../../app';
import type { Outgoing } from '../../net/protocol';
import { SecondSeat } from '../../session/second-seat';

/**
 * The first player invites, the second accepts; the page goes to the game when it is told to start.
 *
 * @throws Refused
 */
export async function startTwoPlayers(app: App, invitation: Outgoing): Promise<void> {
  await app.session.ensure();
  const second = await SecondSeat.open(() => app.changed());
  app.secondSeat?.close();
  app.secondSeat = second;
  const { challenge } = await app.change(invitation);
  await second.socket.change({ t: 'challenge.accept', challenge, laws: true });
}
