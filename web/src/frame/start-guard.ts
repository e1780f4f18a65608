/** The guard of requests from which a game of the person may come: a host with running clocks is asked first. */

import type { Outgoing } from '../net/protocol';
import type { HostedSimuls } from './hosted-simuls';

const STARTS: readonly string[] = [
  'seek',
  'accept',
  'challenge',
  'challenge.accept',
  'pool.join',
  'pool.take',
  'rematch',
  'simul.join',
  'simul.start',
];

/** Whether a game, or a simul, may come of it. */
export const mayStartGame = ({ t, do: how }: Outgoing): boolean => STARTS.includes(t) && how !== 'decline';

export class StartGuard {
  private asking = false;

  constructor(
    private readonly hosted: Pick<HostedSimuls, 'running'>,
    private readonly navigate: (path: string) => void,
    private readonly load = () => import('./hosting-question'),
  ) {}

  /** Whether to send `message`. A second request while the host is asked, as by a double click, is not sent. */
  allow(message: Outgoing): true | Promise<boolean> {
    const simul = mayStartGame(message) ? this.hosted.running() : null;
    if (simul === null) return true;
    if (this.asking) return Promise.resolve(false);
    this.asking = true;
    return this.ask(simul).finally(() => (this.asking = false));
  }

  private async ask(simul: string): Promise<boolean> {
    const question = await this.load().catch(() => null);
    // Offline: the request itself fails.
    return question === null || question.askHost(simul, this.navigate);
  }
}
