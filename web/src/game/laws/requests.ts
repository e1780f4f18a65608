/** Requests of the players in a game by the Laws, each on their own socket: the clock button and all others. */

import type { App } from '../../app';
import { Refused, type Color, type Outgoing } from '../../net/protocol';
import type { GameStore } from '../../state/game-store';
import { refusal } from '../../words/words';
import { OVER_GAME } from '../replay/navigation-input';
import type { GameParts } from '../view/layout';
import { isReady } from './stage';

/** These refusals say that another event was faster. */
const LATE: readonly string[] = ['stale_ply', 'not_your_turn', 'game_over'];
/** Elements that use the space bar themselves. */
const OWN_SPACE = 'input, textarea, select, button, a, summary, [role=grid], [contenteditable]';
/** After a ruling a press without a move was meant for the move that was taken back. */
const SETTLES_MS = 500;

export class Requests {
  /** The press that is not answered yet. It is over when the turn is, since a lost line answers late. */
  private underway: { color: Color; ply: number } | null = null;
  /** When the last ruling was made, by the monotonic clock. */
  private ruledAt = -Infinity;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly store: GameStore,
    private readonly parts: Pick<GameParts, 'mover' | 'seat'>,
  ) {
    document.addEventListener('keydown', this.key);
  }

  close(): void {
    document.removeEventListener('keydown', this.key);
  }

  /** Send a request of `color`. What came too late needs no words. */
  async send(color: Color, message: Outgoing): Promise<void> {
    await this.app.attempt(async () => {
      try {
        await this.parts.seat.socketOf(color).change({ ...this.turnOf(message), ...message, g: this.id });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!LATE.includes(error.code) || message.t === 'draw') this.app.say(refusal(error));
      }
    });
  }

  /** What is done with pieces belongs to one turn, even if it arrives late. */
  private turnOf(message: Outgoing): { ply?: number; seen?: number } {
    const { game } = this.store;
    return game !== null && (message.t === 'touch' || message.t === 'signal') ? { ply: game.moves.length, seen: game.seq } : {};
  }

  /** Whether the clock of `color` is being pressed. */
  isPressing(color: Color): boolean {
    const { game } = this.store;
    return this.underway !== null && this.underway.color === color && this.underway.ply === game?.moves.length;
  }

  /** A ruling was made. */
  ruled(): void {
    this.ruledAt = performance.now();
  }

  /** Press the clock of `color`. */
  async press(color: Color): Promise<void> {
    const { game } = this.store;
    if (game === null || this.isPressing(color) || game.status === 'over' || game.turn !== color) return;
    // The move that it completes, which may be on its way. Without one the press is an illegal move.
    const move = this.parts.mover.pending.sent?.move ?? game.laws?.made?.move;
    if (move === undefined && performance.now() - this.ruledAt < SETTLES_MS) return;
    const press = { color, ply: game.moves.length };
    this.underway = press;
    this.app.changed();
    const lag = this.parts.seat.socketOf(color).time.lag();
    await this.send(color, {
      t: 'press',
      ply: press.ply,
      seen: game.seq,
      ...(move === undefined ? {} : { move }),
      ...(lag === null ? {} : { lag }),
    });
    if (this.underway === press) this.underway = null;
    this.app.changed();
  }

  /**
   * Once a move is made, the space bar presses the clock. Not of two players at this device, who each have a button: it
   * would end the other's turn.
   */
  private readonly key = (event: KeyboardEvent): void => {
    const { game } = this.store;
    if (event.key !== ' ' || event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (game === null || game.status === 'over' || this.parts.seat.side() !== game.turn) return;
    if (!isReady(game, game.turn) && this.parts.mover.pending.sent === null) return;
    const on = event.target instanceof Element ? event.target.closest(OWN_SPACE) : null;
    const isEmptyEntry = on instanceof HTMLInputElement && on.value === '' && on.dataset.testid === 'entry';
    if ((on !== null && !isEmptyEntry) || document.querySelector(OVER_GAME) !== null) return;
    event.preventDefault();
    void this.press(game.turn);
  };
}
