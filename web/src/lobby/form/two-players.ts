/** Starts a game of two people at this device: the second one is a guest with a session of their own. */

import type { App } from '../../app';
import { Refused, WITHHELD, type Outgoing, type Reply } from '../../net/protocol';
import { SecondSeat } from '../../session/second-seat';

type Services = Pick<App, 'changed' | 'mayStart' | 'say' | 'secondSeat' | 'session' | 'socket'>;

/**
 * The first player invites, the second accepts; the page goes to the game when it is told to start.
 *
 * @throws Refused
 */
export async function startTwoPlayers(app: Services, invitation: Outgoing): Promise<Reply> {
  if (!(await app.mayStart(invitation))) throw new Refused(WITHHELD, '');
  await app.session.ensure();
  const second = app.secondSeat ?? (await SecondSeat.open(app));
  app.secondSeat = second;
  const { challenge } = await app.socket.change(invitation);
  try {
    return await second.socket.change({ t: 'challenge.accept', challenge, laws: true });
  } catch (error) {
    await app.socket.change({ t: 'challenge.cancel', challenge }).catch(() => undefined);
    throw error;
  }
}
