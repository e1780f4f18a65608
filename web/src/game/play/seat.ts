/** Where the person sits: which sides he plays, and from which he sees the board. */

import type { Color, GameSnapshot } from '../../net/protocol';
import type { Socket } from '../../net/socket';
import { opposite } from '../../notation/color';
import type { GameStore } from '../../state/game-store';
import { turns } from './board-turns';

export class Seat {
  /** The line was open while this page was: who the person is, is known. */
  private greeted = false;
  private flipped = false;
  /** He has played here since the page was opened. */
  private played = false;

  constructor(
    private readonly socket: Socket,
    private readonly store: GameStore,
  ) {}

  /** The sides the person plays: none when watching, both on one screen. Until the server has greeted him the snapshot says it. */
  own(): Color[] {
    const own = this.seatsHeld();
    this.played ||= own.length > 0;
    return own;
  }

  /** He played here, and has been logged out: his clock goes on. */
  loggedOut(): boolean {
    const { game } = this.store;
    return this.own().length === 0 && this.played && this.socket.user === null && game !== null && game.status !== 'over';
  }

  private seatsHeld(): Color[] {
    const { game } = this.store;
    const { state, user } = this.socket;
    this.greeted ||= state === 'open';
    if (user !== null || this.greeted || !game?.you) return this.store.sides(user?.id);
    return this.store.sides(game.players[game.you].user?.id);
  }

  /** The one side he plays against somebody else; null when watching or playing both. */
  side(): Color | null {
    const own = this.own();
    return own.length === 1 ? own[0]! : null;
  }

  playing(): boolean {
    const { game } = this.store;
    return game !== null && game.status !== 'over' && this.own().length > 0;
  }

  yourMove(): boolean {
    const side = this.side();
    return this.playing() && side !== null && side === this.store.game?.turn;
  }

  /** The side at the lower edge of the board. */
  bottom(game: GameSnapshot): Color {
    // With both sides on one screen the board stays as White sees it, unless it is to turn.
    const both = this.own().length === 2 && turns() ? game.turn : 'w';
    const usual = this.side() ?? both;
    return this.flipped ? opposite(usual) : usual;
  }

  flip(): void {
    this.flipped = !this.flipped;
  }
}
