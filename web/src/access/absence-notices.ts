/** The opponent left: told when it happens, a few times while one waits, and when the game can be claimed. */

import { say } from '../words/words';

/** Told again when less than this is left; each second would leave room for nothing else. */
const TELL_BELOW_S = [60, 30, 10];

export class AbsenceNotices {
  /** Marks that are still to be passed; null while he is here. */
  private marks: number | null = null;

  /** What is new, of `away_ms` until the game can be claimed (null: he is here); null when nothing is. */
  notice(away_ms: number | null): string | null {
    const before = this.marks;
    if (away_ms === null) {
      this.marks = null;
      return before === null ? null : say('away.back');
    }
    this.marks = away_ms === 0 ? -1 : TELL_BELOW_S.filter((mark) => mark * 1000 < away_ms).length;
    return before === null || this.marks < before ? tellAway(away_ms) : null;
  }

  /** Forget him: what the game has come to makes it nothing to tell. */
  clear(): void {
    this.marks = null;
  }
}

export const tellAway = (away_ms: number): string =>
  away_ms > 0 ? say('away.wait', { n: Math.ceil(away_ms / 1000) }) : say('away.now');
