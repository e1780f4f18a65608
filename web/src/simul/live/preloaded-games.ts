/** Games that the host comes to next, asked for before he does: there he can move at once. */

import type { GameMessage } from '../../net/protocol';
import type { Socket } from '../../net/socket';
import type { Subscription, TakeResult } from '../../net/subscriptions';
import { GameStore } from '../../state/game-store';

export class PreloadedGames {
  private readonly followed = new Map<string, { store: GameStore; subscription: Subscription }>();

  constructor(private readonly socket: Socket) {}

  /** Follow these games, and no others. */
  keep(games: readonly string[]): void {
    for (const [g, { subscription }] of this.followed) {
      if (games.includes(g)) continue;
      this.followed.delete(g);
      subscription.close();
    }
    for (const g of games) if (!this.followed.has(g)) this.follow(g);
  }

  /** What is known of `g`, for a page that follows it from here on; a new store where nothing is. */
  takeOver(g: string): GameStore {
    const found = this.followed.get(g);
    // Its subscription is replaced by that of the page.
    this.followed.delete(g);
    return found?.store ?? new GameStore();
  }

  close(): void {
    this.keep([]);
  }

  private follow(g: string): void {
    const store = new GameStore();
    const take = (message: GameMessage): TakeResult => {
      // Its place is kept: what is refused now is not asked for again with each drawing.
      if (message.t === 'error') return 'done';
      return message.t.startsWith('chat') ? 'done' : store.take(message);
    };
    const options = { legal: true, ticks: false };
    const subscription = this.socket.subscribe(`game:${g}`, { seq: () => store.seq(), take }, options, { last: true });
    this.followed.set(g, { store, subscription });
  }
}
