/** Sound cues: plays each event of a game once. */

import type { Sounds } from '../../browser/sounds';
import type { Color, GameSnapshot, Offers } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { isSameMade } from '../../state/laws';

export class SoundCues {
  /** The half-move whose sound was played when the piece was dropped. */
  private before = -1;
  private warned = false;

  constructor(private readonly sounds: Sounds) {}

  /** The game changed from `was`, null at first, to `now`. */
  gameChanged(was: GameSnapshot | null, now: GameSnapshot, own: readonly Color[]): void {
    if (was === null) {
      if (own.length > 0 && now.status === 'created' && now.moves.length === 0) this.sounds.play('start');
      return;
    }
    const made = now.laws?.made ?? null;
    // By the Laws: the piece was heard when it was put down, then the clock is.
    if (now.moves.length > was.moves.length && was.laws?.made) this.sounds.play('clock');
    else if (now.moves.length > was.moves.length) this.move(now.notation.at(-1) ?? '', now.moves.length - 1);
    else if (made !== null && !isSameMade(was, now)) this.move(made.san ?? made.pdn ?? '', now.moves.length);
    if (offered(was, now, own)) this.sounds.play('message');
    if (now.status === 'over' && was.status !== 'over') this.sounds.play('end');
  }

  /** The player's own piece was dropped, before the server's answer. */
  pieceDown(ply: number, takes: boolean): void {
    this.before = ply;
    this.sounds.play(takes ? 'capture' : 'move');
  }

  /** The player's time is low: played once a game. */
  lowTime(): void {
    if (!this.warned) this.sounds.play('low');
    this.warned = true;
  }

  private move(san: string, ply: number): void {
    if (/[+#]$/.test(san)) this.sounds.play('check');
    else if (this.before !== ply) this.sounds.play(san.includes('x') ? 'capture' : 'move');
    this.before = -1;
  }
}

/** Whether the opponent has just made an offer. */
function offered(was: GameSnapshot, now: GameSnapshot, own: readonly Color[]): boolean {
  const kinds = Object.keys(now.offers) as (keyof Offers)[];
  return own.length === 1 && kinds.some((kind) => now.offers[kind] === opposite(own[0]!) && was.offers[kind] === null);
}
