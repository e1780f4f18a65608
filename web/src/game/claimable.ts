/** Whether the position looks as if a draw could be claimed in it. The server judges; this only shows the button. */

import type { GameSnapshot } from '../protocol';
import { fenOf, type Replay } from './replay';

const FIFTY_MOVES = 100;

export class Claimable {
  private moves: readonly string[] = [];
  private answer = false;

  constructor(private readonly replay: Replay) {}

  in(game: GameSnapshot): boolean {
    if (game.moves !== this.moves) {
      this.moves = game.moves;
      this.answer = quiet(game) >= FIFTY_MOVES || this.repeated(game) >= 3;
    }
    return this.answer;
  }

  /** Times the pieces have stood as now; only since the last capture or pawn move can they have. */
  private repeated({ moves, ...game }: GameSnapshot): number {
    const plies = moves.length;
    const now = fenOf(this.replay.at(plies, moves));
    let times = 1;
    for (let back = 2; back <= Math.min(plies, quiet(game)); back += 2) {
      if (fenOf(this.replay.at(plies - back, moves)) === now) times += 1;
    }
    return times;
  }
}

/** Half-moves since the last capture or pawn move. */
const quiet = ({ position }: Pick<GameSnapshot, 'position'>): number => Number(position.split(' ')[4] ?? 0);
