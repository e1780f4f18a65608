/** The opponent is away: how long until the game can be claimed. */

import type { GameSnapshot } from '../protocol';

/** Who closed the page on purpose is gone sooner than who lost his line; only the server knows which it was. */
const GOODBYE_MS = 10_000;
const LINE_LOST_MS: Record<string, number> = { bullet: 40_000, blitz: 80_000 };
const OTHERWISE_MS = 120_000;

export class Departure {
  private since: number | null = null;
  private refused = false;

  /** Tell it what is known; called often. */
  note(game: GameSnapshot, away: boolean, now: number): void {
    const claimable = away && game.status === 'live' && game.speed !== 'correspondence';
    if (!claimable) {
      this.since = null;
      this.refused = false;
    } else {
      this.since ??= now;
    }
  }

  /** The server says that it is too early: the line was lost, it was no goodbye. */
  tooEarly(): void {
    this.refused = true;
  }

  /** Until a claim is worth trying; null when the opponent is here. */
  left_ms(speed: string, now: number): number | null {
    if (this.since === null) return null;
    const wait_ms = this.refused ? (LINE_LOST_MS[speed] ?? OTHERWISE_MS) : GOODBYE_MS;
    return Math.max(0, this.since + wait_ms - now);
  }
}
