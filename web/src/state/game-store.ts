/** A game as a fold of the server's messages. */

import type { ChatLines, ChatMessage, Color, Crowd, GameEvent, GameHint, GameMessage, GameSnapshot, Leaps, Legal, TopicRefused } from '../net/protocol';
import type { TakeResult } from '../net/subscriptions';
import { opposite } from '../notation/color';
import { withLastPosition, withLaws } from './laws';

/** Events that change the legal moves, or which of them touch-move leaves. The server tells both after each. */
const NEW_LEGAL: readonly string[] = ['move', 'takeback', 'touch', 'made', 'ruling'];

const NO_OFFERS = { draw: null, takeback: null, rematch: null };

export class GameStore {
  game: GameSnapshot | null = null;
  /** Milliseconds until each side can be claimed against, as last told; a new object each time. */
  left: Crowd['left'] | null = null;
  /** The game is provisional, until the snapshot arrives. */
  guessed = false;
  /** The player's legal moves, the half-moves they are for, and the number of the last event before they were told. */
  private legal: { ply: number; moves: string[]; leaps: Record<string, Leaps[]> | null; seq: number } | null = null;
  /** Number of the last event of `NEW_LEGAL`. */
  private legalSince = 0;
  /** Legal moves that another connection told before the event they follow came. */
  private early: { legal: Legal; seq: number } | null = null;

  /** Number of the last event seen; undefined asks for the snapshot. */
  seq(): number | undefined {
    return this.guessed ? undefined : this.game?.seq;
  }

  /** Show the provisional `game` until the snapshot arrives. */
  guess(game: GameSnapshot): void {
    this.game = game;
    this.guessed = true;
    this.legal = null;
  }

  /** Sides of the person with this id: both on one screen, none when watching. */
  sides(id: string | undefined): Color[] {
    const game = this.game;
    if (!game || id === undefined) return [];
    return (['w', 'b'] as const).filter((color) => game.players[color].user?.id === id);
  }

  /** Legal moves; null if not known for the current position. */
  moves(): string[] | null {
    if (this.game === null || this.game.status === 'over' || this.legal?.ply !== this.game.moves.length) return null;
    return this.legal.moves;
  }

  /** Whether the legal moves, or those that touch-move leaves, are still to come. */
  awaitsLegal(): boolean {
    return this.moves() === null || this.legal!.seq < this.legalSince;
  }

  /** Paths of the legal captures; null if there are none. */
  leaps(): Record<string, Leaps[]> | null {
    return this.moves() === null ? null : this.legal!.leaps;
  }

  take(message: GameMessage): TakeResult {
    const taken = this.fold(message);
    const { early } = this;
    if (early !== null) this.takeLegal(early.legal, early.seq);
    return taken;
  }

  /**
   * Legal moves from another connection, which had told the events up to number `seq`. They wait for the event they
   * follow, and are ignored if they are outdated.
   */
  takeLegal(legal: Legal, seq: number): void {
    const { game } = this;
    this.early = null;
    if (game === null || this.guessed || seq > game.seq) this.early = { legal, seq };
    else if (seq >= this.legalSince) this.hint(game, legal);
  }

  private fold(message: GameMessage): TakeResult {
    if (message.t === 'game') {
      this.begin(message);
      return 'done';
    }
    // From an earlier subscription to the position only.
    if (message.t === 'mini') return 'stale';
    const game = this.game;
    if (game === null) return 'gap';
    if (!('seq' in message)) {
      this.hint(game, message);
      return 'done';
    }
    if (this.guessed) return 'gap';
    if (message.seq <= game.seq) return 'stale';
    if (message.seq > game.seq + 1) return 'gap';
    if (message.t === 'move' || message.t === 'takeback') this.legal = null;
    if (NEW_LEGAL.includes(message.t)) this.legalSince = message.seq;
    this.game = { ...withLaws(game, apply(game, message), message), seq: message.seq };
    return 'done';
  }

  /** The snapshot of one player lacks the legal moves of the other at this device: if it is repeated, they are kept. */
  private begin(snapshot: GameSnapshot): void {
    const was = this.guessed ? null : this.game;
    const { moves, legal, legal_leaps, laws, seq } = snapshot;
    const isRepeated = was?.seq === seq;
    const kept = isRepeated && laws && !legal ? { ...snapshot, laws: { ...laws, bound: was.laws?.bound ?? null } } : snapshot;
    this.game = withLastPosition(kept);
    this.guessed = false;
    if (!isRepeated) this.legalSince = seq;
    if (legal) this.legal = { ply: moves.length, moves: legal, leaps: legal_leaps ?? null, seq };
    else if (!isRepeated) this.legal = null;
  }

  private hint(game: GameSnapshot, hint: GameHint | ChatMessage | ChatLines | TopicRefused): void {
    switch (hint.t) {
      case 'tick':
        // A tick sent before a move arrived is older than the move's own clock.
        if (game.status !== 'over' && (game.clock === null || hint.clock.at >= game.clock.at)) {
          this.game = { ...game, clock: hint.clock };
        }
        return;
      case 'hold':
        if (game.clock) this.game = { ...game, clock: { ...game.clock, held: hint.why } };
        return;
      case 'legal':
        if (hint.ply !== game.moves.length) return;
        this.legal = { ply: hint.ply, moves: hint.legal, leaps: hint.leaps ?? null, seq: game.seq };
        if (game.laws) this.game = { ...game, laws: { ...game.laws, bound: hint.bound ?? null } };
        return;
      case 'player': {
        const { color, user } = hint;
        this.game = { ...game, players: { ...game.players, [color]: { ...game.players[color], user } } };
        return;
      }
      case 'rated': {
        const { ratings: _, unrated: __, ...rest } = game;
        const { ratings, unrated } = hint;
        this.game = { ...rest, ...(ratings && { ratings }), ...(unrated && { unrated }) };
        return;
      }
      case 'crowd': {
        const { w, b } = hint.online;
        this.left = hint.left;
        this.game = {
          ...game,
          watchers: hint.watchers,
          players: {
            w: { ...game.players.w, online: w },
            b: { ...game.players.b, online: b },
          },
        };
      }
    }
  }
}

function apply(game: GameSnapshot, event: GameEvent): GameSnapshot {
  switch (event.t) {
    case 'move': {
      const moves = [...game.moves, event.move];
      const clock = event.clock ?? game.clock;
      const { leaps, draw_in: _, ...rest } = game;
      const gone = leaps ?? (event.leaps ? game.moves.map(() => null) : undefined);
      return {
        ...rest,
        ...(gone && { leaps: [...gone, event.leaps ?? null] }),
        ...limitOf(event),
        moves,
        notation: [...game.notation, event.san ?? event.pdn ?? event.move],
        times: clock ? [...game.times, clock[event.by]] : game.times,
        position: event.position,
        turn: opposite(event.by),
        clock,
        status: moves.length >= 2 && game.status === 'created' ? 'live' : game.status,
        // A move ends the opponent's offers without an event.
        offers: {
          ...game.offers,
          draw: event.draw ? event.by : game.offers.draw === event.by ? event.by : null,
          takeback: game.offers.takeback === event.by ? event.by : null,
        },
      };
    }
    case 'offer': {
      const offers = { ...game.offers, [event.what]: event.do === 'offer' ? event.by : null };
      return { ...game, offers, next: event.next ?? game.next };
    }
    case 'takeback': {
      const kept = game.moves.length - event.plies;
      const { leaps, draw_in: _, ...rest } = game;
      return {
        ...rest,
        ...(leaps && { leaps: leaps.slice(0, kept) }),
        ...limitOf(event),
        moves: game.moves.slice(0, kept),
        notation: game.notation.slice(0, kept),
        times: game.times.slice(0, kept),
        position: event.position,
        turn: event.plies % 2 === 0 ? game.turn : opposite(game.turn),
        clock: event.clock ?? game.clock,
        offers: { ...game.offers, draw: null, takeback: null },
      };
    }
    case 'clock':
      return { ...game, clock: event.clock };
    case 'end': {
      const clock = event.clock ?? game.clock;
      return {
        ...game,
        status: 'over',
        result: event.result,
        reason: event.reason,
        ...(event.ratings ? { ratings: event.ratings } : {}),
        ...(event.unrated ? { unrated: event.unrated } : {}),
        ...(event.no_show ? { no_show: true } : {}),
        clock: clock && { ...clock, run: null },
        offers: NO_OFFERS,
      };
    }
    default:
      return game; // an event of a newer server counts all the same
  }
}

/** Moves left until a draw; nothing while no limit applies. */
const limitOf = ({ draw_in }: { draw_in?: number }): Pick<GameSnapshot, 'draw_in'> => (draw_in === undefined ? {} : { draw_in });
