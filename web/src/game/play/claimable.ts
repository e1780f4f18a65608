/**
 * Whether a draw can probably be claimed, in the current position or with a move. It looks only at the pieces: the
 * server, which knows castling and en passant rights, decides. No valid claim is missed.
 */

import { fenOf, played } from '../../board/chess/position';
import type { Replay } from '../../board/replay';
import type { GameSnapshot } from '../../net/protocol';
import type { Placement } from '../../notation/pieces';
import { squares } from '../../notation/uci';

const FIFTY_MOVES = 100;
const TIMES = 3;

export class Claimable {
  private moves: readonly string[] = [];
  private answer = false;
  private legal: readonly string[] | null = null;
  private chances: readonly string[] = [];

  constructor(private readonly replay: Replay) {}

  /** In the current position. */
  in(game: GameSnapshot): boolean {
    if (game.moves !== this.moves) {
      this.moves = game.moves;
      const now = fenOf(this.at(game.moves.length, game));
      this.answer = quiet(game) >= FIFTY_MOVES || this.seen(game, 0).filter((fen) => fen === now).length >= TIMES;
      this.legal = null;
    }
    return this.answer;
  }

  /** The `legal` moves that lead to a claimable position. */
  with(game: GameSnapshot, legal: readonly string[]): readonly string[] {
    this.in(game);
    if (this.legal !== legal) {
      this.legal = legal;
      this.chances = this.found(game, legal);
    }
    return this.chances;
  }

  private at(ply: number, { moves, laws }: GameSnapshot): Placement {
    return this.replay.at(ply, moves, [], laws?.positions);
  }

  private found(game: GameSnapshot, legal: readonly string[]): string[] {
    const board = this.at(game.moves.length, game);
    const fifty = quiet(game) + 1 >= FIFTY_MOVES;
    const seen = this.seen(game, 1);
    return legal.filter((move) => {
      if (!isQuiet(board, move)) return false;
      if (fifty) return true;
      const after = fenOf(played(board, move));
      return seen.filter((fen) => fen === after).length >= TIMES - 1;
    });
  }

  /** Positions with the side to move of `later` half-moves from now, since the last capture or pawn move. */
  private seen(game: GameSnapshot, later: number): string[] {
    const plies = game.moves.length;
    const first = Math.max(0, plies - quiet(game));
    const found: string[] = [];
    for (let ply = plies - later; ply >= first; ply -= 2) found.push(fenOf(this.at(ply, game)));
    return found;
  }
}

/** Half-moves since the last capture or pawn move. */
const quiet = ({ position }: Pick<GameSnapshot, 'position'>): number => Number(position.split(' ')[4] ?? 0);

/** Neither a capture nor a pawn move. A king that "captures" its own rook castles. */
function isQuiet(board: Placement, move: string): boolean {
  const [from, to] = squares(move);
  const [piece, target] = [board.get(from), board.get(to)];
  return piece !== undefined && piece.role !== 'p' && (target === undefined || target.color === piece.color);
}
