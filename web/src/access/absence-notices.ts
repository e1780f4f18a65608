/** Announcements while the opponent is away: when they leave, at a few marks, and when the game can be claimed. */

import { say } from '../words/words';

/** Announced again at these times left; every second would drown everything else. */
const TELL_BELOW_S = [60, 30, 10];

export class AbsenceNotices {
  /** Marks not passed yet; null while the opponent is here. */
  private marks: number | null = null;

  /**
   * The text to announce, or null. `away_ms` is the time until the game can be claimed, null while the opponent is
   * here.
   */
  notice(away_ms: number | null): string | null {
    const before = this.marks;
    if (away_ms === null) {
      this.marks = null;
      return before === null ? null : say('away.back');
    }
    this.marks = away_ms === 0 ? -1 : TELL_BELOW_S.filter((mark) => mark * 1000 < away_ms).length;
    return before === null || this.marks < before ? tellAway(away_ms) : null;
  }

  /** Forget the absence: the game is over. */
  clear(): void {
    this.marks = null;
  }
}

export const tellAway = (away_ms: number): string =>
  away_ms > 0 ? say('away.wait', { n: Math.ceil(away_ms / 1000) }) : say('away.now');
