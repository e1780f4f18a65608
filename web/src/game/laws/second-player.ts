/** The second player on this device: their socket follows the game too, for their legal moves and their presence. */

import type { App } from '../../app';
import type { GameMessage } from '../../net/protocol';
import type { Subscription, Topic } from '../../net/subscriptions';
import type { GameStore } from '../../state/game-store';

export class SecondPlayer {
  private subscription: Subscription | null = null;
  /** Number of the last event on their connection, which may be ahead of the first player's, or behind it. */
  private seq = 0;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly store: GameStore,
    private readonly playing: () => boolean,
  ) {
    addEventListener('beforeunload', this.leaving);
    this.follow();
  }

  /** Call often: the socket may be told of the game after the page is. */
  follow(): void {
    const { secondSeat } = this.app;
    if (this.subscription !== null || secondSeat?.g !== this.id) return;
    this.subscription = secondSeat.socket.subscribe(`game:${this.id}`, this.topic, { legal: true, laws: true });
  }

  /** Ask for the legal moves again. */
  refresh(): void {
    this.subscription?.refresh();
  }

  close(): void {
    this.subscription?.close();
    removeEventListener('beforeunload', this.leaving);
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

  /** Their session is kept in memory only: they could not come back. */
  private readonly leaving = (event: BeforeUnloadEvent): void => {
    if (this.subscription !== null && this.playing()) event.preventDefault();
  };
}
