/** The absent opponent, and the time until the game can be claimed. */

import type { Color, Crowd, GameSnapshot } from '../../net/protocol';

export class OpponentAbsence {
  private told: Crowd['left'] | null = null;
  private at = 0;
  private wait_ms: number | null = null;

  /** Call often, with what the server said of who left, and the opponent's side. */
  update(game: GameSnapshot, left: Crowd['left'] | null, opponent: Color | null, now: number): void {
    if (left !== this.told) {
      this.told = left;
      this.at = now;
    }
    // A board of a simul has started before the first move.
    const begun = game.status === 'live' || (game.status === 'created' && Boolean(game.simul));
    const away = opponent !== null && begun && !game.players[opponent].online;
    this.wait_ms = away && left ? left[opponent] : null;
  }

  /** Milliseconds until a claim is possible; null if there is nothing to claim. */
  left_ms(now: number): number | null {
    return this.wait_ms === null ? null : Math.max(0, this.at + this.wait_ms - now);
  }
}
