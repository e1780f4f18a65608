/** The seat of the person: the sides they play, and the side they see the board from. */

import type { Color, GameSnapshot } from '../../net/protocol';
import type { Socket } from '../../net/socket';
import type { SecondSeat } from '../../session/second-seat';
import { opposite } from '../../notation/color';
import type { GameStore } from '../../state/game-store';
import { boardFlips } from './board-turns';

export class Seat {
  /** The connection has been open since the page was made, so the user is known. */
  private greeted = false;
  private flipped = false;
  /** The person has played here since the page was opened. */
  private played = false;

  /** `hosts`: at a board of a simul, whether the person plays the host's side; null while that is unknown. */
  constructor(
    private readonly socket: Socket,
    private readonly store: GameStore,
    private readonly hosts: () => boolean | null = () => null,
    /** The other player, if both are at this device. */
    private readonly second: () => SecondSeat | null = () => null,
  ) {}

  /** The socket of the player who has `color`. */
  socketOf(color: Color): Socket {
    const second = this.second();
    return second !== null && this.store.sides(second.user.id).includes(color) ? second.socket : this.socket;
  }

  /** Whether both sides are played on this device, by two people. */
  isShared(): boolean {
    const second = this.second();
    return second !== null && this.store.sides(second.user.id).length > 0;
  }

  /** Sides that the person plays: none when watching, both on one screen. Before the welcome, the snapshot tells. */
  ownSides(): Color[] {
    const second = this.second();
    const own = second === null ? this.seatsHeld() : [...this.seatsHeld(), ...this.store.sides(second.user.id)];
    this.played ||= own.length > 0;
    return own;
  }

  /** Whether the person played here and was logged out; their clock keeps running. */
  loggedOut(): boolean {
    const { game } = this.store;
    return this.ownSides().length === 0 && this.played && this.socket.user === null && game !== null && game.status !== 'over';
  }

  private seatsHeld(): Color[] {
    const { game } = this.store;
    const { state, user } = this.socket;
    // A stand-in may play for the host, who plays nothing then.
    const hosts = game?.simul_host === undefined ? null : this.hosts();
    if (hosts !== null && game?.simul_host !== undefined) {
      const own = this.store.sides(user?.id);
      return hosts ? [game.simul_host] : own.filter((side) => side !== game.simul_host);
    }
    this.greeted ||= state === 'open';
    if (user !== null || this.greeted || !game?.you) return this.store.sides(user?.id);
    return this.store.sides(game.players[game.you].user?.id);
  }

  /** The side that the user plays; null when watching or playing both. */
  side(): Color | null {
    const own = this.ownSides();
    return own.length === 1 ? own[0]! : null;
  }

  playing(): boolean {
    const { game } = this.store;
    return game !== null && game.status !== 'over' && this.ownSides().length > 0;
  }

  yourMove(): boolean {
    const side = this.side();
    return this.playing() && side !== null && side === this.store.game?.turn;
  }

  /** The side at the bottom of the board. */
  bottom(game: GameSnapshot): Color {
    // With both sides on one screen White is at the bottom, unless the board is set to flip. Spectators of a simul see
    // it from the host's side.
    const both = this.ownSides().length === 2 && boardFlips() ? game.turn : this.near();
    const usual = this.side() ?? game.simul_host ?? both;
    return this.flipped ? opposite(usual) : usual;
  }

  /** The side of whoever sits before the device: of two players the first, who keeps the place in a rematch. */
  private near(): Color {
    return (this.isShared() ? this.seatsHeld()[0] : undefined) ?? 'w';
  }

  flip(): void {
    this.flipped = !this.flipped;
  }
}
