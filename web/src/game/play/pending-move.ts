/**
 * One's own move on its way to the server: put down on the board, perhaps one of several (a pawn that promotes, a capture
 * that goes two ways), perhaps to be confirmed, sent, and not answered yet. The board shows it all the while.
 */

export class PendingMove {
  /** The wire moves that a piece put down can mean, while the person is asked which. */
  choosing: readonly string[] = [];
  /** A move that waits for the person's yes. */
  confirming: string | null = null;
  /** A move that was sent, and the half-moves on the board before it. */
  sent: { move: string; ply: number } | null = null;
  /** A draw is offered with the move that was put down last. */
  draw = false;

  constructor(private readonly send: (move: string) => void) {}

  /** What the board shows besides the moves that stand; null when nothing. */
  get shownMove(): string | null {
    return this.sent?.move ?? this.confirming;
  }

  /** A piece was put down. `queen`: promote without asking; `confirm`: ask before it is sent; `draw`: offer one with it. */
  drop(moves: readonly string[], { queen, confirm, draw = false }: { queen: boolean; confirm: boolean; draw?: boolean }): void {
    const [move] = moves;
    this.draw = draw;
    const best = moves.find((candidate) => candidate.length === 5 && candidate.endsWith('q'));
    if (moves.length > 1 && !(queen && best)) this.choosing = moves;
    else if (move !== undefined) this.play(queen && best ? best : move, confirm);
  }

  /** The piece to promote to, or the whole move; null puts the piece back. Whether there was a move in it. */
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

  /** The person's answer to "play it?". */
  answer(yes: boolean): void {
    const move = this.confirming;
    this.confirming = null;
    if (yes && move !== null) this.send(move);
  }

  /** The board has changed under the hand: what was meant for the old position is dropped. */
  clear(): void {
    this.choosing = [];
    this.confirming = null;
    this.sent = null;
    this.draw = false;
  }
}
