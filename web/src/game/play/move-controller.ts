/** The person's moves, from a piece put down by whatever means to the server's answer. */

import type { App } from '../../app';
import { Refused, type GameSnapshot } from '../../net/protocol';
import { confirmsMoves } from '../../settings/settings';
import type { GameStore } from '../../state/game-store';
import { refusal, say } from '../../words/words';
import type { Looking } from '../replay/ply-navigation';
import type { Beside } from './extension';
import { Field } from './game-board';
import { Hand } from './pending-move';
import { keepsAhead, sameMoves } from './premove-validity';
import { attempts } from './retry-on-conflict';
import type { Seat } from './seat';
import type { Heard } from './sound-cues';

export class Mover {
  readonly hand = new Hand((move) => void this.send(move));
  readonly field: Field;
  /** The next move is told as one with which a draw is claimed. */
  claiming = false;
  /** The move for which the person was brought to the question whether he means it. */
  private askedFor: string | null = null;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly store: GameStore,
    private readonly seat: Seat,
    private readonly looking: Looking,
    private readonly noises: Heard,
    /** What the game is a part of. */
    private readonly beside: () => Beside | null,
  ) {
    const free = (game: GameSnapshot) => beside()?.free(game) ?? true;
    this.field = new Field(app.settings, store, seat, this.hand, free, (moves, ahead) => this.drop(moves, ahead));
    // Before Chessground has it.
    this.field.board.element.addEventListener('pointerdown', (event) => this.touched(event), { capture: true });
  }

  /** A piece was put down: one of `moves` is meant; `ahead` was it before its turn; `draw` offers a draw with it. */
  drop(moves: string[], ahead: boolean, draw = false): void {
    const { autoQueen } = this.app.settings.now;
    this.looking.live();
    const queen = autoQueen === 'always' || (autoQueen === 'premove' && ahead);
    this.hand.drop(moves, { queen, confirm: !ahead && this.confirms(), draw });
    this.app.changed();
  }

  /** What the pawn becomes; null puts it back. */
  choose(letter: string | null): void {
    if (!this.hand.choose(letter, this.confirms())) this.field.board.restore();
    this.app.changed();
  }

  /** The person's answer to "play it?". */
  confirm(yes: boolean): void {
    this.hand.answer(yes);
    if (!yes) this.field.board.restore();
    this.app.changed();
  }

  /** Make `move` ahead of its turn, on the board, as if by hand; it is played from there. Null drops the one that waits. */
  ahead(move: string | null): boolean {
    const { game } = this.store;
    const { board } = this.field;
    this.app.changed();
    if (move === null || game === null) {
      board.forget();
      return move === null;
    }
    this.looking.live();
    this.field.show(game, game.moves.length);
    return board.moveAhead(move);
  }

  /** Whether the next move is one with which a draw is claimed. */
  claim(on: boolean): void {
    this.claiming = on;
    this.app.changed();
  }

  /** Claim a draw with `move`. */
  claimWith(move: string): void {
    this.looking.live();
    this.claiming = true;
    this.hand.play(move, false);
    this.app.changed();
  }

  /** Drop all that has not been sent. */
  escape(): void {
    this.claiming = false;
    this.field.board.forget();
    if (this.hand.choosing.length > 0 || this.hand.asking !== null) {
      this.hand.clear();
      this.field.board.restore();
    }
    this.app.changed();
  }

  /** The game went on from `was` to `now`: keep of one's moves what is still meant. */
  follow(was: GameSnapshot | null, now: GameSnapshot): void {
    const own = this.seat.own();
    // A snapshot tells moves again that are known: then all that the hand holds still stands.
    if (was && !sameMoves(was.moves, now.moves)) {
      this.claiming = false;
      if (!keepsAhead(was, now, own, this.hand.sent?.move ?? null)) this.field.board.forget();
      this.hand.clear();
      if (own.length > 0) this.looking.live();
    }
    if (now.status !== 'over') return;
    this.hand.clear();
    this.field.board.forget();
  }

  /** After drawing: who plays by hand says yes with Enter; who types says it where he types. */
  toQuestion(): void {
    const { asking } = this.hand;
    if (asking === this.askedFor) return;
    this.askedFor = asking;
    if (asking === null || document.activeElement?.closest('input, [role=grid]')) return;
    document.querySelector<HTMLElement>('[data-testid=confirm-yes]')?.focus({ preventScroll: true });
  }

  /** A hand on the board: keys are for the game again, and a move that waits for a yes is taken back. */
  private touched(event: PointerEvent): void {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (event.button === 0 && this.hand.asking !== null) this.confirm(false);
  }

  private confirms(): boolean {
    return confirmsMoves(this.app.settings.now, this.store.game?.speed ?? '');
  }

  private async send(move: string): Promise<void> {
    const { game } = this.store;
    if (game === null) return;
    const { board } = this.field;
    const { draw } = this.hand;
    const ply = game.moves.length;
    const sent = (this.hand.sent = { move, ply });
    this.noises.down(ply, this.field.takes(move, game));
    this.app.changed();
    const lag = this.app.socket.time.lag();
    const claims = this.claiming;
    const instead = claims ? null : (this.beside()?.instead(move, ply) ?? null);
    this.claiming = false;
    try {
      const done = await attempts(
        claims
          ? { t: 'draw', do: 'claim', g: this.id, move }
          : (instead ?? { t: 'move', g: this.id, move, ply, seen: game.seq, ...(draw ? { draw } : {}), ...(lag === null ? {} : { lag }) }),
        (asked) => this.app.socket.change(asked),
        (asked) => (claims ? null : (this.beside()?.otherwise(asked, move, ply) ?? null)),
      );
      // It is not played yet: the board stays as it was.
      if (done.t === 'simul.prepare' && this.hand.sent === sent) this.putBack();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A wrong claim stands as the move.
      this.app.say(claims ? refusal(error) : say('game.refused', { why: error.message }));
      if (this.hand.sent === sent) {
        this.hand.clear();
        board.forget();
      }
      board.restore();
      this.app.changed();
    }
  }

  private putBack(): void {
    this.hand.clear();
    this.field.board.restore();
    this.app.changed();
  }
}
