/** Games that the host comes to next, loaded in advance so that the host can move at once. */

import type { GameMessage } from '../../net/protocol';
import type { Socket } from '../../net/socket';
import type { Subscription, TakeResult } from '../../net/subscriptions';
import { GameStore } from '../../state/game-store';

export class PreloadedGames {
  private readonly followed = new Map<string, { store: GameStore; subscription: Subscription }>();

  constructor(private readonly socket: Socket) {}

  /** Follow exactly these games. */
  keep(games: readonly string[]): void {
    for (const [g, { subscription }] of this.followed) {
      if (games.includes(g)) continue;
      this.followed.delete(g);
      subscription.close();
    }
    for (const g of games) if (!this.followed.has(g)) this.follow(g);
  }

  /** What is known of `g`, for the page that takes over; a new store if nothing is. */
  takeOver(g: string): GameStore {
    const found = this.followed.get(g);
    // The page's subscription replaces this one.
    this.followed.delete(g);
    return found?.store ?? new GameStore();
  }

  close(): void {
    this.keep([]);
  }

  private follow(g: string): void {
    const store = new GameStore();
    const take = (message: GameMessage): TakeResult => {
      // Keeps its place, so that a refused game is not requested on each draw.
      if (message.t === 'error') return 'done';
      return message.t.startsWith('chat') ? 'done' : store.take(message);
    };
    const options = { legal: true, ticks: false };
    const subscription = this.socket.subscribe(`game:${g}`, { seq: () => store.seq(), take }, options, { last: true });
    this.followed.set(g, { store, subscription });
  }
}
