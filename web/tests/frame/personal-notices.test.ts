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
