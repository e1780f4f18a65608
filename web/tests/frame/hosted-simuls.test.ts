import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HostedSimuls } from '../../src/frame/hosted-simuls';
import type { SimulMessage } from '../../src/net/protocol';
import type { Topic } from '../../src/net/subscriptions';
import { SimulStore } from '../../src/simul/state/simul-store';
import { board, snapshot } from '../simul/boards';
import { text } from '../ui/template-text';

describe('The simuls that a person hosts', () => {
  const topics = new Map<string, Topic>();
  const close = vi.fn<(name: string) => void>();
  const socket = {
    simuls: ['s1'],
    time: { now: () => 0 },
    subscribe: (name: string, topic: Topic) => {
      topics.set(name, topic);
      return { refresh: () => undefined, close: () => close(name) };
    },
  };
  let hosted: HostedSimuls;
  const told = (message: Partial<SimulMessage>) => topics.get('simul:s1')!.take(message as SimulMessage);
  const running = (more = {}) =>
    told(snapshot({ you: 'host', score: { wins: 0, draws: 0, losses: 0, live: 2, aborted: 0 }, boards: [board(1), board(2, { turn: 'player' })], ...more }));

  beforeEach(async () => {
    vi.stubGlobal('location', { pathname: '/' });
    topics.clear();
    close.mockReset();
    socket.simuls = ['s1'];
    const loaded = new Promise<void>((resolve) => {
      hosted = new HostedSimuls(socket as never, () => resolve());
    });
    hosted.keep(null);
    await loaded;
    hosted.keep(null);
  });

  it('are followed, with the boards that wait', () => {
    running();
    expect(text(hosted.items())).toContain('1 waiting');
  });

  it('may run before they are known, and do not in a break or at the end', () => {
    expect(hosted.running()).toBe('s1');
    running();
    expect(hosted.running()).toBe('s1');
    running({ break_until: 1_000 });
    expect(hosted.running()).toBeNull();
    // Without clocks of the host.
    running({ tc: null });
    expect(hosted.running()).toBeNull();
    running({ mode: 'round', host_tc: 'none' });
    expect(hosted.running()).toBeNull();
    running({ mode: 'round', tc: null, host_tc: { move_s: 30 } });
    expect(hosted.running()).toBe('s1');
    running({ status: 'finished' });
    expect(socket.simuls).toEqual([]);
    expect(hosted.running()).toBeNull();
  });

  it('leave a host alone for whom a stand-in plays', () => {
    const deputy = { id: 'd', name: 'Deputy', kind: 'member', title: null };
    running({ stand_in: deputy, acting: true });
    expect(hosted.running()).toBeNull();
    expect(text(hosted.items(), true)).toContain('data-mine=false');
    running({ stand_in: deputy, acting: false });
    expect(hosted.running()).toBe('s1');
    expect(text(hosted.items(), true)).toContain('data-mine=true');
  });

  it('ask the stand-in to take over, and are theirs then', () => {
    const deputy = { id: 'd', name: 'Deputy', kind: 'member', title: null };
    running({ you: 'stand_in', stand_in: deputy, offered: true });
    expect(hosted.running()).toBeNull();
    expect(text(hosted.items())).toContain('Take over a simul');
    running({ you: 'stand_in', stand_in: deputy, acting: true });
    expect(hosted.running()).toBe('s1');
    expect(text(hosted.items())).toContain('Your simul');
  });

  it('are left to the page that shows them', () => {
    const store = new SimulStore(() => 0);
    hosted.keep({ simul: 's1', store });
    expect(close).toHaveBeenCalledWith('simul:s1');
    vi.stubGlobal('location', { pathname: '/simul/s1' });
    expect(hosted.items()).toHaveLength(0);
    // On the page of one of its boards there is a way back.
    vi.stubGlobal('location', { pathname: '/game/g1' });
    store.take(snapshot({ you: 'host', score: { wins: 0, draws: 0, losses: 0, live: 1, aborted: 0 }, boards: [board(1)] }));
    expect(text(hosted.items())).toContain('1 waiting');
    expect(hosted.running()).toBe('s1');
    store.take(snapshot({ you: 'host', break_until: 1_000, boards: [board(1)] }));
    expect(hosted.running()).toBeNull();
  });

  it('are not loaded for somebody who hosts none', () => {
    socket.simuls = [];
    hosted.keep(null);
    expect(hosted.items()).toHaveLength(0);
    expect(hosted.running()).toBeNull();
  });
});
