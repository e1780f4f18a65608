import { describe, expect, it, vi } from 'vitest';
import { PersonalNotices } from '../../src/frame/personal-notices';
import { person } from '../simul/boards';

const named = { t: 'simul.stand_in', simul: 's1', name: 'Club evening', host: person('h') } as const;

describe('A person who is named a stand-in', () => {
  const say = vi.fn();
  vi.stubGlobal('navigator', {});
  const notices = (playing: boolean) => new PersonalNotices({ say, isPlaying: () => playing } as never, null);

  it('is told, with a link', () => {
    notices(false).receive(named, '/');
    expect(say).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Club evening'), expect.objectContaining({ href: '/simul/s1' }));
  });

  it('is left alone on its page and in a game', () => {
    say.mockReset();
    notices(false).receive(named, '/simul/s1');
    notices(true).receive(named, '/game/g1');
    expect(say).not.toHaveBeenCalled();
  });
});

describe('An invitation', () => {
  const card = { t: 'challenge', challenge: 'c1', from: person('h'), to: person('me'), game: 'chess', variant: 'standard', rated: false, rules: 'online', tc: { base_s: 300, inc_s: 0 }, opponent_tc: null, color: 'random', fen: null, position: null };

  it('is accepted or declined in the toast', async () => {
    vi.stubGlobal('document', { hidden: false, querySelector: () => null });
    const [say, answer, forget] = [vi.fn(), vi.fn(() => Promise.resolve('done')), vi.fn()];
    const app = { say, forget, isPlaying: () => false, socket: { user: { id: 'me', kind: 'guest' } }, sounds: { play: () => undefined }, gameRequests: { answer } };
    new PersonalNotices(app as never, null).receive(card as never, '/');
    const [, , acts] = say.mock.calls[0] as [string, unknown, { label: string; run(): void }[]];
    expect(acts.map(({ label }) => label)).toEqual(['Accept', 'Decline']);
    acts[1]!.run();
    expect(answer).toHaveBeenCalledExactlyOnceWith({ t: 'challenge.decline', challenge: 'c1' });
    await Promise.resolve();
    expect(forget).toHaveBeenCalledExactlyOnceWith('c1');
    vi.unstubAllGlobals();
  });
});
