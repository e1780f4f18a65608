/** The lobby as a fold of the server's messages. */

import type { LiveGame, LobbyMessage, Robots, Seek, SimulCard, Waiter } from '../net/protocol';
import type { TakeResult } from '../net/subscriptions';

export class LobbyStore {
  seeks: Seek[] = [];
  games = 0;
  online = 0;
  /** The top running games, best first. */
  top: LiveGame[] = [];
  /** Simuls that can be joined, newest first. */
  simuls: SimulCard[] = [];
  /** People in casual pools, longest waiting first. */
  waiters: Waiter[] = [];
  /** By pool: people who wait casually and rated, and games. */
  pools: Readonly<Record<string, readonly number[]>> = {};
  /** Null while none plays. */
  robots: Robots | null = null;
  private last: number | undefined;

  seq(): number | undefined {
    return this.last;
  }

  take(message: LobbyMessage): TakeResult {
    if (message.t === 'lobby') {
      this.seeks = message.seeks;
      this.games = message.games;
      this.online = message.online;
      this.top = message.top;
      this.simuls = message.simuls;
      // An older server sends none of these.
      ({ waiters: this.waiters = [], pools: this.pools = {}, robots: this.robots = null } = message);
      this.last = message.seq;
      return 'done';
    }
    if (message.t === 'error') return 'done';
    const event = message;
    if (event.t === 'lobby.count') {
      this.games = event.games;
      this.online = event.online;
      this.pools = event.pools ?? this.pools;
      return 'done';
    }
    if (this.last === undefined || event.seq > this.last + 1) return 'gap';
    if (event.seq <= this.last) return 'stale';
    this.last = event.seq;
    if ('seek' in event) this.seeks = this.seeks.filter((seek) => seek.seek !== event.seek);
    if (event.t === 'lobby.add') this.seeks = [...this.seeks, event];
    else if (event.t === 'lobby.game') this.top = placed(this.top, event.card);
    else if (event.t === 'lobby.game_gone') this.top = this.top.filter(({ g }) => g !== event.g);
    else if (event.t === 'lobby.simul') {
      const others = this.simuls.filter(({ simul }) => simul !== event.card.simul);
      this.simuls = [...others, event.card].toSorted((one, other) => other.created - one.created);
    } else if (event.t === 'lobby.waiter') {
      const others = this.waiters.filter(({ user }) => user.id !== event.card.user.id);
      this.waiters = [...others, event.card].toSorted((one, other) => one.since - other.since);
    } else if (event.t === 'lobby.waiter_gone') {
      this.waiters = this.waiters.filter(({ user }) => user.id !== event.user);
    } else if (event.t === 'lobby.robots') {
      this.robots = event.robots;
    } else if (event.t === 'lobby.simul_gone') {
      this.simuls = this.simuls.filter(({ simul }) => simul !== event.simul);
    }
    return 'done';
  }
}

/** Replaces it in place; a new one is ranked as on the server, before older ones of its strength. */
function placed(top: readonly LiveGame[], card: LiveGame): LiveGame[] {
  if (top.some(({ g }) => g === card.g)) return top.map((known) => (known.g === card.g ? card : known));
  const at = top.findIndex((known) => strength(known) <= strength(card));
  return top.toSpliced(at < 0 ? top.length : at, 0, card);
}

/** Sum of both ratings; 0 for an unrated player. */
const strength = ({ players: { w, b } }: LiveGame): number => (w.rating ?? 0) + (b.rating ?? 0);
