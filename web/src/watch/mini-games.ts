/**
 * Many games followed as mini boards on the page's one socket. Which are wanted may change many times a second, as
 * where somebody scrolls; asking and leaving keep within what the server takes from a line.
 */

import type { GameMessage, GameSnapshot } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { Subscription, TakeResult } from '../net/subscriptions';
import { miniAfter, miniOfGame, type Mini } from './mini';

/** Of the server's 60 at once and 20 a second: moves and talk have the rest. */
const AT_ONCE = 30;
const A_SECOND = 10;
const AGAIN_MS = 250;

/** What the server says of a game that is not there, and of a name that none can have. */
const NONE = ['not_found', 'bad_message'];

/** Games that are followed as a whole by something else: one topic of a line is subscribed to in one way. */
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

  /** `changed` is told of each message, and is to take little time. */
  constructor(
    private readonly socket: Pick<Socket, 'subscribe'>,
    private readonly whole: Whole,
    private readonly changed: (g: string) => void,
    private readonly now = () => performance.now(),
  ) {
    this.at = now();
  }

  /** What is known of `g`. */
  get(g: string): Mini | null {
    const whole = this.whole.games().find((game) => game.g === g);
    return whole ? miniOfGame(whole) : (this.states.get(g) ?? null);
  }

  /** Whether the server knows no such game. */
  missing(g: string): boolean {
    return this.gone.has(g);
  }

  /** What a list tells of a game; of no account once the game itself is heard. */
  hint(mini: Mini): void {
    if (!this.subscriptions.has(mini.g)) this.states.set(mini.g, mini);
    else {
      const known = this.states.get(mini.g);
      // The list alone tells of these.
      if (known) this.states.set(mini.g, { ...known, watchers: mini.watchers });
    }
  }

  /** Forget all but these. */
  keep(games: readonly string[]): void {
    for (const g of [...this.states.keys()]) if (!games.includes(g) && !this.subscriptions.has(g)) this.states.delete(g);
  }

  /** Follow exactly these, the first first. */
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
    // Those in sight first, then room is made.
    const lacking = this.wanted.filter((g) => !this.subscriptions.has(g) && !whole.has(g) && !this.gone.has(g));
    // What has come to be followed as a whole is asked for again when it is not any more.
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
        // Refused for another reason it is asked for again on the next line.
        if (NONE.includes(message.code)) this.gone.add(g);
      } else if (message.t !== 'mini') return 'stale'; // of when it was followed as a whole
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
