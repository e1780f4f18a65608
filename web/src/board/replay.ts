/** Replays a game: the pieces after each half-move, computed from the wire moves. */

import type { Leaps } from '../net/protocol';
import { placement, type Placement } from '../notation/pieces';
import { played, START } from './chess/position';
import type { GameKind } from './core/game-kind';

/** The start of a game, and the effect of a move. */
export type Play = Pick<GameKind, 'start' | 'placement' | 'played'>;

const CHESS: Play = { start: (fen) => placement(fen ?? START), placement, played };

/** Caches the positions of one game, and drops those that a takeback made wrong. */
export class Replay {
  private boards: Placement[] = [];
  private moves: readonly string[] = [];

  constructor(
    private readonly start: string | null,
    private readonly play: Play = CHESS,
  ) {}

  /**
   * The pieces after the first `ply` of `moves`. `leaps` are the paths of moves that are no plain steps, `positions`
   * those that cannot be replayed, by their half-moves.
   */
  at(ply: number, moves: readonly string[], leaps: readonly (Leaps | null)[] = [], positions: readonly (readonly [number, string])[] = []): Placement {
    if (moves !== this.moves) {
      const same = moves.findIndex((move, index) => move !== this.moves[index]);
      const kept = same < 0 ? Math.min(moves.length, this.moves.length) : same;
      this.boards = this.boards.slice(0, kept + 1);
      this.moves = moves;
    }
    if (this.boards.length === 0) this.boards.push(this.play.start(this.start));
    if (this.boards.length > ply) return this.boards[ply]!;
    const known = new Map(positions);
    while (this.boards.length <= ply) {
      const next = this.boards.length;
      const given = known.get(next);
      this.boards.push(given !== undefined ? this.play.placement(given) : this.play.played(this.boards[next - 1]!, moves[next - 1] ?? '', leaps[next - 1] ?? null));
    }
    return this.boards[ply]!;
  }
}
