import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulMessage } from '../../src/net/protocol';
import { PlayerExtension } from '../../src/simul/player/player-extension';
import { person, snapshot } from './boards';

describe('the page of a board', () => {
  let take: (message: SimulMessage) => unknown;
  let extension: PlayerExtension;
  const subscribe = (_: string, topic: { take: typeof take }) => {
    take = topic.take;
    return { close: () => undefined };
  };

  beforeEach(() => {
    extension = new PlayerExtension({ changed: () => undefined, socket: { time: { now: () => 0 }, subscribe } } as never, 's1', 'g1');
  });
  afterEach(() => extension.close());

  it('knows whether the person plays the host’s side, once the simul is known', () => {
    expect(extension.hosts()).toBeNull();
    take(snapshot({ you: 'host', seq: 1, stand_in: person('d') }));
    expect(extension.hosts()).toBe(true);
    take({ t: 'simul.away', simul: 's1', seq: 2, since: null, acting: true, offered: false });
    expect(extension.hosts()).toBe(false);
    take(snapshot({ you: 'stand_in', seq: 2, stand_in: person('d'), acting: true }));
    expect(extension.hosts()).toBe(true);
  });
});
