/**
 * The player's move until the server has answered it: dropped, to be chosen among several (promotions, captures), to be
 * confirmed, or sent. The board shows it all the while.
 */

export class PendingMove {
  /** Moves to choose from; empty if there is no choice to make. */
  choosing: readonly string[] = [];
  /** The move that waits for confirmation. */
  confirming: string | null = null;
  /** The move that was sent, and the half-moves before it. */
  sent: { move: string; ply: number } | null = null;
  /** Offer a draw with the current move. */
  draw = false;

  constructor(private readonly send: (move: string) => void) {}

  /** The move to show on the board before it stands; null for none. */
  get shownMove(): string | null {
    return this.sent?.move ?? this.confirming;
  }

  /**
   * A piece was dropped. `queen`: promote without asking; `confirm`: ask before sending; `draw`: offer a draw with it.
   */
  drop(moves: readonly string[], { queen, confirm, draw = false }: { queen: boolean; confirm: boolean; draw?: boolean }): void {
    const [move] = moves;
    this.draw = draw;
    const best = moves.find((candidate) => candidate.length === 5 && candidate.endsWith('q'));
    if (moves.length > 1 && !(queen && best)) this.choosing = moves;
    else if (move !== undefined) this.play(queen && best ? best : move, confirm);
  }

  /** Choose the promotion, or the whole move; null puts the piece back. Returns whether there was a move. */
  choose(letter: string | null, confirm: boolean): boolean {
    const move = this.choosing.find((candidate) => letter !== null && candidate.endsWith(letter));
    this.choosing = [];
    if (move !== undefined) this.play(move, confirm);
    return move !== undefined;
  }

  play(move: string, confirm: boolean): void {
    this.choosing = [];
    this.confirming = confirm ? move : null;
    if (!confirm) this.send(move);
  }

  /** Confirm or reject the move that waits. */
  answer(yes: boolean): void {
    const move = this.confirming;
    this.confirming = null;
    if (yes && move !== null) this.send(move);
  }

  /** The position has changed: drop everything meant for the old one. */
  clear(): void {
    this.choosing = [];
    this.confirming = null;
    this.sent = null;
    this.draw = false;
  }
}
