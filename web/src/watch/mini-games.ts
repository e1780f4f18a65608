/**
 * Many games followed as mini boards on the page's socket. The wanted games may change many times a second while
 * scrolling; subscriptions keep within the server's rate limit.
 */

import type { GameMessage, GameSnapshot } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { Subscription, TakeResult } from '../net/subscriptions';
import { miniAfter, miniOfGame, type Mini } from './mini';

/** Out of the server's 60 at once and 20 per second; moves and chat have the rest. */
const AT_ONCE = 30;
const A_SECOND = 10;
const AGAIN_MS = 250;

/** Error codes of a missing game, and of an invalid id. */
const NONE = ['not_found', 'bad_message'];

/** Games that something else follows completely: a connection has one subscription per topic. */
export interface Whole {
  games(): GameSnapshot[];
}

export class MiniGames {
  private readonly states = new Map<string, Mini>();
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly gone = new Set<string>();
  private wanted: readonly string[] = [];
  private tokens = AT_ONCE;
  private at: number;
  private waits: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called for each message; it must be fast. */
  constructor(
    private readonly socket: Pick<Socket, 'subscribe'>,
    private readonly whole: Whole,
    private readonly changed: (g: string) => void,
    private readonly now = () => performance.now(),
  ) {
    this.at = now();
  }

  /** The known state of `g`. */
  get(g: string): Mini | null {
    const whole = this.whole.games().find((game) => game.g === g);
    return whole ? miniOfGame(whole) : (this.states.get(g) ?? null);
  }

  /** Whether the game does not exist. */
  missing(g: string): boolean {
    return this.gone.has(g);
  }

  /** State from a list; ignored once the game itself is followed. */
  hint(mini: Mini): void {
    if (!this.subscriptions.has(mini.g)) this.states.set(mini.g, mini);
    else {
      const known = this.states.get(mini.g);
      // Only the list tells the number of spectators.
      if (known) this.states.set(mini.g, { ...known, watchers: mini.watchers });
    }
  }

  /** Forget all others. */
  keep(games: readonly string[]): void {
    for (const g of [...this.states.keys()]) if (!games.includes(g) && !this.subscriptions.has(g)) this.states.delete(g);
  }

  /** Follow exactly these, in order of importance. */
  want(games: readonly string[]): void {
    this.wanted = games;
    this.update();
  }

  close(): void {
    clearTimeout(this.waits);
    for (const subscription of this.subscriptions.values()) subscription.close();
    this.subscriptions.clear();
  }

  private update(): void {
    clearTimeout(this.waits);
    const now = this.now();
    this.tokens = Math.min(AT_ONCE, this.tokens + ((now - this.at) / 1_000) * A_SECOND);
    this.at = now;
    const whole = new Set(this.whole.games().map(({ g }) => g));
    const wanted = new Set(this.wanted);
    // New subscriptions first, then unsubscribe.
    const lacking = this.wanted.filter((g) => !this.subscriptions.has(g) && !whole.has(g) && !this.gone.has(g));
    // A game that something else follows completely is followed here again afterwards.
    const spare = [...this.subscriptions.keys()].filter((g) => !wanted.has(g) || whole.has(g));
    for (const act of [...lacking.map((g) => () => this.follow(g)), ...spare.map((g) => () => this.leave(g))]) {
      if (this.tokens < 1) {
        this.waits = setTimeout(() => this.update(), AGAIN_MS);
        return;
      }
      this.tokens -= 1;
      act();
    }
  }

  private follow(g: string): void {
    const take = (message: GameMessage): TakeResult => {
      if (message.t === 'error') {
        // Otherwise the next connection tries again.
        if (NONE.includes(message.code)) this.gone.add(g);
      } else if (message.t !== 'mini') return 'stale'; // from when it was followed completely
      else {
        const mini = miniAfter(this.states.get(g) ?? null, message);
        if (mini) this.states.set(g, mini);
      }
      this.changed(g);
      return 'done';
    };
    const topic = { seq: () => undefined, take, quiet: true };
    this.subscriptions.set(g, this.socket.subscribe(`game:${g}`, topic, { position: true }));
  }

  private leave(g: string): void {
    this.subscriptions.get(g)?.close();
    this.subscriptions.delete(g);
  }
}
