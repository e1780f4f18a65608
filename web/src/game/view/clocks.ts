/** The two clocks of a game, and the warning when the player's own is low. */

import type { Color, GameSnapshot } from '../../net/protocol';
import type { ServerTime } from '../../net/server-time';
import type { SettingsStore } from '../../settings/store';
import type { SoundCues } from '../play/sound-cues';
import { ClockFace, low_ms } from './clock-face';

export class Clocks {
  readonly faces: Readonly<Record<Color, ClockFace>>;

  constructor(
    time: ServerTime,
    private readonly settings: SettingsStore,
    private readonly soundCues: SoundCues,
  ) {
    this.faces = { w: new ClockFace('w', time), b: new ClockFace('b', time) };
  }

  /** Update both; call often. `side` is the one the person plays, null for none or both. */
  tick(game: GameSnapshot, side: Color | null): void {
    for (const color of ['w', 'b'] as const) {
      const ms = this.faces[color].update(game, this.settings.now.clockTenths);
      const mine = side === color && game.clock?.run === color && game.status !== 'over';
      if (mine && ms < low_ms(game.tc)) this.soundCues.lowTime();
    }
  }
}
