/**
 * Whether it looks as if a draw could be claimed: in the position on the board, or with a move. By the pieces alone: the
 * server, which knows rights to castle and to take in passing, judges. No right claim is overlooked.
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

  /** In the position on the board. */
  in(game: GameSnapshot): boolean {
    if (game.moves !== this.moves) {
      this.moves = game.moves;
      const now = fenOf(this.replay.at(game.moves.length, game.moves));
      this.answer = quiet(game) >= FIFTY_MOVES || this.seen(game, 0).filter((fen) => fen === now).length >= TIMES;
      this.legal = null;
    }
    return this.answer;
  }

  /** Of the `legal` moves those after which it could be: the intended moves of a claim. */
  with(game: GameSnapshot, legal: readonly string[]): readonly string[] {
    this.in(game);
    if (this.legal !== legal) {
      this.legal = legal;
      this.chances = this.found(game, legal);
    }
    return this.chances;
  }

  private found(game: GameSnapshot, legal: readonly string[]): string[] {
    const board = this.replay.at(game.moves.length, game.moves);
    const fifty = quiet(game) + 1 >= FIFTY_MOVES;
    const seen = this.seen(game, 1);
    return legal.filter((move) => {
      if (!isQuiet(board, move)) return false;
      if (fifty) return true;
      const after = fenOf(played(board, move));
      return seen.filter((fen) => fen === after).length >= TIMES - 1;
    });
  }

  /** How the pieces stood when the side to move in `later` half-moves had it before, since the last capture or pawn move. */
  private seen(game: GameSnapshot, later: number): string[] {
    const plies = game.moves.length;
    const first = Math.max(0, plies - quiet(game));
    const found: string[] = [];
    for (let ply = plies - later; ply >= first; ply -= 2) found.push(fenOf(this.replay.at(ply, game.moves)));
    return found;
  }
}

/** Half-moves since the last capture or pawn move. */
const quiet = ({ position }: Pick<GameSnapshot, 'position'>): number => Number(position.split(' ')[4] ?? 0);

/** Neither a capture nor a move of a pawn. A king that "takes" his own rook castles. */
function isQuiet(board: Placement, move: string): boolean {
  const [from, to] = squares(move);
  const [piece, target] = [board.get(from), board.get(to)];
  return piece !== undefined && piece.role !== 'p' && (target === undefined || target.color === piece.color);
}
