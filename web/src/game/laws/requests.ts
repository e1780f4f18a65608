/** Requests of the players in a game by the Laws, each on their own socket: the clock button and all others. */

import type { App } from '../../app';
import { Refused, type Color, type Outgoing } from '../../net/protocol';
import type { GameStore } from '../../state/game-store';
import { refusal } from '../../words/words';
import type { GameParts } from '../view/layout';

/** These refusals say that another event was faster. */
const LATE: readonly string[] = ['stale_ply', 'not_your_turn', 'game_over'];
/** Elements that use the space bar themselves. */
const OWN_SPACE = 'input, textarea, select, button, a, summary, [role=grid], [contenteditable]';

export class Requests {
  /** The clock is being pressed. */
  presses = false;

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

  /** Press the clock of `color`. */
  async press(color: Color): Promise<void> {
    const { game } = this.store;
    if (game === null || this.presses || game.status === 'over' || game.turn !== color) return;
    this.presses = true;
    this.app.changed();
    const lag = this.parts.seat.socketOf(color).time.lag();
    // The move that it completes, which may be on its way. Without one the press is an illegal move.
    const move = this.parts.mover.pending.sent?.move ?? game.laws?.made?.move;
    await this.send(color, {
      t: 'press',
      ply: game.moves.length,
      seen: game.seq,
      ...(move === undefined ? {} : { move }),
      ...(lag === null ? {} : { lag }),
    });
    this.presses = false;
    this.app.changed();
  }

  /** The space bar presses the clock of the side to move, if it is played here. */
  private readonly key = (event: KeyboardEvent): void => {
    const { game } = this.store;
    if (event.key !== ' ' || event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (game === null || game.status === 'over' || !this.parts.seat.ownSides().includes(game.turn)) return;
    const on = event.target instanceof Element ? event.target.closest(OWN_SPACE) : null;
    const isEmptyEntry = on instanceof HTMLInputElement && on.value === '' && on.dataset.testid === 'entry';
    if ((on !== null && !isEmptyEntry) || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    void this.press(game.turn);
  };
}
