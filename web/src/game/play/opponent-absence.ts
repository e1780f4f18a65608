/** The opponent is away: how long until the game can be claimed. */

import type { Color, Crowd, GameSnapshot } from '../../net/protocol';

export class OpponentAbsence {
  private told: Crowd['left'] | null = null;
  private at = 0;
  private wait_ms: number | null = null;

  /** Tell it what the server said of who left, and who the opponent is (null: nobody); called often. */
  update(game: GameSnapshot, left: Crowd['left'] | null, opponent: Color | null, now: number): void {
    if (left !== this.told) {
      this.told = left;
      this.at = now;
    }
    // A board of an exhibition has begun before anybody has moved.
    const begun = game.status === 'live' || (game.status === 'created' && Boolean(game.simul));
    const away = opponent !== null && begun && !game.players[opponent].online;
    this.wait_ms = away && left ? left[opponent] : null;
  }

  /** Until a claim is right; null when there is nothing to claim. */
  left_ms(now: number): number | null {
    return this.wait_ms === null ? null : Math.max(0, this.at + this.wait_ms - now);
  }
}
