/** The person's moves, from the drop of a piece to the server's answer. */

import type { App } from '../../app';
import { Refused, type GameSnapshot } from '../../net/protocol';
import { confirmsMoves } from '../../settings/settings';
import type { GameStore } from '../../state/game-store';
import { isSameMade } from '../../state/laws';
import { refusal, say } from '../../words/words';
import type { PlyNavigation } from '../replay/ply-navigation';
import type { GameExtension } from './extension';
import { GameBoard } from './game-board';
import { PendingMove } from './pending-move';
import { keepsPremove, sameMoves } from './premove-validity';
import { retryOnConflict } from './retry-on-conflict';
import type { Seat } from './seat';
import type { SoundCues } from './sound-cues';

export class MoveController {
  readonly pending = new PendingMove((move) => void this.send(move));
  readonly gameBoard: GameBoard;
  /** The next move is sent as a draw claim. */
  claiming = false;
  /** The move whose confirmation has had the focus. */
  private askedFor: string | null = null;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly store: GameStore,
    private readonly seat: Seat,
    private readonly navigation: PlyNavigation,
    private readonly soundCues: SoundCues,
    /** The extension of the game. */
    private readonly extension: () => GameExtension | null,
  ) {
    const free = (game: GameSnapshot) => extension()?.mayMove(game) ?? true;
    this.gameBoard = new GameBoard(app.settings, store, seat, this.pending, free, (moves, ahead) => this.drop(moves, ahead));
    // Before Chessground handles it.
    this.gameBoard.board.element.addEventListener('pointerdown', (event) => this.touched(event), { capture: true });
  }

  /** A piece was dropped; `ahead`: it was a premove; `draw`: offer a draw with it. */
  drop(moves: string[], ahead: boolean, draw = false): void {
    const { autoQueen } = this.app.settings.now;
    this.navigation.live();
    const queen = !this.isByLaws() && (autoQueen === 'always' || (autoQueen === 'premove' && ahead));
    this.pending.drop(moves, { queen, confirm: !ahead && this.confirms(), draw });
    this.app.changed();
  }

  /** Choose the promotion; null puts the pawn back. */
  choose(letter: string | null): void {
    if (!this.pending.choose(letter, this.confirms())) this.gameBoard.board.restore();
    this.app.changed();
  }

  /** Confirm or reject the move that waits. */
  confirm(yes: boolean): void {
    this.pending.answer(yes);
    if (!yes) this.gameBoard.board.restore();
    this.app.changed();
  }

  /** Set `move` as the premove on the board, which plays it in time. Null cancels the premove. */
  setPremove(move: string | null): boolean {
    const { game } = this.store;
    const { board } = this.gameBoard;
    this.app.changed();
    if (move === null || game === null) {
      board.cancelPremove();
      return move === null;
    }
    this.navigation.live();
    this.gameBoard.show(game, game.moves.length);
    return board.setPremove(move);
  }

  /** Whether the next move is sent as a draw claim. */
  claim(on: boolean): void {
    this.claiming = on;
    this.app.changed();
  }

  /** Claim a draw with `move`. */
  claimWith(move: string): void {
    this.navigation.live();
    this.claiming = true;
    this.pending.play(move, false);
    this.app.changed();
  }

  /** Cancel everything that has not been sent. */
  escape(): void {
    this.claiming = false;
    this.gameBoard.board.cancelPremove();
    if (this.pending.choosing.length > 0 || this.pending.confirming !== null) {
      this.pending.clear();
      this.gameBoard.board.restore();
    }
    this.app.changed();
  }

  /** The game went from `was` to `now`: keep what is still meant. */
  follow(was: GameSnapshot | null, now: GameSnapshot): void {
    const own = this.seat.ownSides();
    // A snapshot may repeat known moves: then nothing has changed.
    if (was && (!sameMoves(was.moves, now.moves) || !isSameMade(was, now))) {
      this.claiming = false;
      if (!keepsPremove(was, now, own, this.pending.sent?.move ?? null)) this.gameBoard.board.cancelPremove();
      this.pending.clear();
      if (own.length > 0) this.navigation.live();
    }
    if (now.status !== 'over') return;
    this.pending.clear();
    this.gameBoard.board.cancelPremove();
  }

  /** After drawing: focus the confirmation, unless the person types. */
  focusConfirmation(): void {
    const { confirming } = this.pending;
    if (confirming === this.askedFor) return;
    this.askedFor = confirming;
    if (confirming === null || document.activeElement?.closest('input, [role=grid]')) return;
    document.querySelector<HTMLElement>('[data-testid=confirm-yes]')?.focus({ preventScroll: true });
  }

  /** A press on the board: keys go to the game again, and a move that waits for confirmation is taken back. */
  private touched(event: PointerEvent): void {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (event.button === 0 && this.pending.confirming !== null) this.confirm(false);
  }

  private confirms(): boolean {
    return !this.isByLaws() && confirmsMoves(this.app.settings.now, this.store.game?.speed ?? '');
  }

  /** There the clock is pressed to confirm a move. */
  private isByLaws(): boolean {
    return this.store.game?.laws !== undefined;
  }

  private async send(move: string): Promise<void> {
    const { game } = this.store;
    if (game === null) return;
    const { board } = this.gameBoard;
    const { draw } = this.pending;
    const ply = game.moves.length;
    const sent = (this.pending.sent = { move, ply });
    this.soundCues.pieceDown(ply, this.gameBoard.takes(move, game));
    this.app.changed();
    const socket = this.seat.socketOf(game.turn);
    const lag = socket.time.lag();
    const claims = this.claiming;
    const instead = claims ? null : (this.extension()?.replaceMove(move, ply) ?? null);
    this.claiming = false;
    try {
      const done = await retryOnConflict(
        claims
          ? { t: 'draw', do: 'claim', g: this.id, move }
          : (instead ?? { t: 'move', g: this.id, move, ply, seen: game.seq, ...(draw ? { draw } : {}), ...(lag === null ? {} : { lag }) }),
        (asked) => socket.change(asked),
        (asked) => (claims ? null : (this.extension()?.afterConflict(asked, move, ply) ?? null)),
      );
      // It was only prepared: the board stays as it was.
      if (done.t === 'simul.prepare' && this.pending.sent === sent) this.putBack();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A wrong claim still plays the move.
      this.app.say(error.code === 'illegal_move' && !claims ? say('game.refused', { why: error.message }) : refusal(error));
      if (this.pending.sent === sent) {
        this.pending.clear();
        board.cancelPremove();
      }
      board.restore();
      this.app.changed();
    }
  }

  private putBack(): void {
    this.pending.clear();
    this.gameBoard.board.restore();
    this.app.changed();
  }
}
