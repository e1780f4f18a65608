/** The hint for the player's own move, until the position changes. */

import { Refused, type GameSnapshot, type Reply } from '../../net/protocol';
import type { Socket } from '../../net/socket';
import type { Hint } from '../../state/hints';

/** The position that was asked about is no longer on the board. */
const LATE: readonly string[] = ['stale_ply', 'not_your_turn', 'game_over'];

/** Ask the server. Undefined: the position has changed meanwhile. Throws `Refused`. */
export async function askHint(socket: Pick<Socket, 'ask'>, g: string): Promise<Reply | undefined> {
  try {
    return await socket.ask({ t: 'hint', g });
  } catch (error) {
    if (error instanceof Refused && LATE.includes(error.code)) return undefined;
    throw error;
  }
}

export class Hints {
  private hint: Hint | null = null;
  /** The position of the hint, and the one that a hint was asked for. */
  private position = '';
  private asked: string | null = null;

  constructor(
    /** Asks the server; undefined: refused, and the person knows. */
    private readonly ask: () => Promise<Reply | undefined>,
    private readonly now: () => GameSnapshot | null,
    private readonly changed: () => void,
  ) {}

  /** The hint for the newest position; null if there is none. */
  current(game: GameSnapshot): Hint | null {
    return this.hint !== null && this.position === idOf(game) && game.status !== 'over' ? this.hint : null;
  }

  isAsked(game: GameSnapshot): boolean {
    return this.asked === idOf(game) && game.status !== 'over';
  }

  /** Ask for a hint, or tell the known one again. */
  async request(): Promise<void> {
    const game = this.now();
    if (game === null || this.isAsked(game)) return;
    const known = this.current(game);
    if (known !== null) {
      this.hint = { ...known };
      return this.changed();
    }
    const position = (this.asked = idOf(game));
    this.changed();
    const reply = await this.ask();
    if (this.asked === position) this.asked = null;
    const hint = reply === undefined ? null : read(reply);
    if (hint?.ply === game.moves.length) {
      this.hint = hint;
      this.position = position;
    }
    this.changed();
  }
}

const idOf = ({ moves, position }: GameSnapshot): string => `${moves.length} ${position}`;

function read({ ply, move, better, winning }: Reply): Hint | null {
  if (ply === undefined || move === undefined || better === undefined) return null;
  return { ply, move, better, winning: winning ?? false };
}
