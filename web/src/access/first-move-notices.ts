/** Announcements of the time for a first move: when it begins, and to the player at a few marks. */

import type { Color, GameSnapshot } from '../net/protocol';
import { say } from '../words/words';

const TELL_BELOW_S = [10, 5];

type Awaited = Pick<GameSnapshot, 'g' | 'turn'>;

export class FirstMoveNotices {
  /** Whose move is awaited in which game, and marks not passed yet; null if none is. */
  private last: { g: string; turn: Color; marks: number } | null = null;

  /** The text to announce, or null. `left_ms`: the time left, null if no first move is awaited. */
  notice(game: Awaited, own: readonly Color[], left_ms: number | null): string | null {
    const before = this.last;
    const marks = TELL_BELOW_S.filter((mark) => left_ms !== null && mark * 1000 < left_ms).length;
    this.last = left_ms === null ? null : { g: game.g, turn: game.turn, marks };
    if (left_ms === null) return null;
    const isNew = before?.g !== game.g || before.turn !== game.turn;
    // More marks: the time has begun again.
    return isNew || marks > before.marks || (marks < before.marks && isMine(game, own)) ? tellFirstMove(game, own, left_ms) : null;
  }
}

const isMine = ({ turn }: Awaited, own: readonly Color[]): boolean => own.length === 1 && own[0] === turn;

/** How long the side to move has for its first move; `own`: the sides that the person plays. */
export function tellFirstMove(game: Awaited, own: readonly Color[], left_ms: number): string {
  const n = Math.ceil(left_ms / 1000);
  return isMine(game, own) ? say('first.you', { n }) : say('first.side', { side: say(`side.${game.turn}`), n });
}
