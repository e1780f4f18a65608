/** The second player on this device: their socket follows the game too, for their legal moves and their presence. */

import type { App } from '../../app';
import type { GameMessage } from '../../net/protocol';
import type { Subscription, Topic } from '../../net/subscriptions';
import { SecondSeat } from '../../session/second-seat';
import type { GameStore } from '../../state/game-store';

export class SecondPlayer {
  private readonly subscription: Subscription | null = null;
  /** Number of the last event on their connection, which may be ahead of the first player's, or behind it. */
  private seq = 0;

  constructor(
    private readonly app: App,
    id: string,
    private readonly store: GameStore,
  ) {
    const plays = (user: string) => store.sides(user).length > 0;
    app.secondSeat ??= SecondSeat.restore(app, plays);
    const second = app.secondSeat;
    if (second === null || !plays(second.user.id)) return;
    this.subscription = second.socket.subscribe(`game:${id}`, this.topic, { legal: true, laws: true });
  }

  /** Ask for the legal moves again. */
  refresh(): void {
    this.subscription?.refresh();
  }

  /** After the game the second player leaves with the page, unless a game follows. */
  close(): void {
    this.subscription?.close();
    const { app, subscription } = this;
    const { game } = this.store;
    if (subscription === null || game?.status !== 'over' || game.next !== null || game.offers.rematch !== null) return;
    if (app.gameRequests.isUnderway()) return;
    app.secondSeat?.close();
    app.secondSeat = null;
  }

  /** All but the legal moves comes by the first player's socket too. */
  private readonly topic: Topic = {
    seq: () => undefined,
    take: (message) => {
      const told = message as GameMessage;
      if ('seq' in told) this.seq = told.seq;
      if (told.t === 'legal') this.store.takeLegal(told, this.seq);
      else if (told.t === 'game' && told.legal) {
        const { g, moves, legal, legal_leaps, laws } = told;
        this.store.takeLegal({ t: 'legal', g, ply: moves.length, legal, ...(legal_leaps && { leaps: legal_leaps }), bound: laws?.bound ?? null }, told.seq);
      }
      return 'done';
    },
  };
}
