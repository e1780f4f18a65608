import { expect, it } from 'vitest';
import type { Sounds } from '../../../src/browser/sounds';
import { SoundCues } from '../../../src/game/play/sound-cues';
import { byLaws, KNIGHT } from '../laws/laws-snapshot';

it('plays a made move once, even if a snapshot repeats it', () => {
  const played: string[] = [];
  const cues = new SoundCues({ play: (name: string) => void played.push(name) } as unknown as Sounds);
  cues.gameChanged(byLaws(), byLaws({ made: KNIGHT }), ['w']);
  cues.gameChanged(byLaws({ made: KNIGHT }), byLaws({ made: { ...KNIGHT } }), ['w']);
  expect(played).toEqual(['move']);
});
