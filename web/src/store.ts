/** What the page knows: a game or the lobby as a fold of the server's messages. */

import type {
  Color,
  Crowd,
  GameEvent,
  GameHint,
  GameSnapshot,
  Incoming,
  Leaps,
  LiveGame,
  LobbyEvent,
  LobbySnapshot,
  Seek,
  SimulCard,
} from './net/protocol';

/** `gap`: an event is missing, subscribe afresh. `stale`: known already. `done`: taken in. */
export type Taken = 'done' | 'stale' | 'gap';

export const opposite = (color: Color): Color => (color === 'w' ? 'b' : 'w');

const NO_OFFERS = { draw: null, takeback: null, rematch: null };

export class GameStore {
  game: GameSnapshot | null = null;
  /** In how many ms each side may be claimed against, as it was last told; each telling is an object of its own. */
  left: Crowd['left'] | null = null;
  /** What is there was put together from something else, to be shown until the snapshot comes. */
  guessed = false;
  /** The moves the player may make, and the half-moves on the board they were told for. */
  private legal: { ply: number; moves: string[]; leaps: Record<string, Leaps[]> | null } | null = null;

  /** Last numbered event seen, for `from`; undefined asks for the snapshot. */
  seq(): number | undefined {
    return this.guessed ? undefined : this.game?.seq;
  }

  /** Show `game` until there is a snapshot. */
  guess(game: GameSnapshot): void {
    this.game = game;
    this.guessed = true;
    this.legal = null;
  }

  /** Sides that the person with this id plays: both of them on one screen, none when watching. */
  sides(id: string | undefined): Color[] {
    const game = this.game;
    if (!game || id === undefined) return [];
    return (['w', 'b'] as const).filter((color) => game.players[color].user?.id === id);
  }

  /** Legal moves now; null when they have not been told for the present position. */
  moves(): string[] | null {
    if (this.game === null || this.game.status === 'over' || this.legal?.ply !== this.game.moves.length) return null;
    return this.legal.moves;
  }

  /** The ways of those legal moves that have any; null where none has. */
  leaps(): Record<string, Leaps[]> | null {
    return this.moves() === null ? null : this.legal!.leaps;
  }

  take(message: Incoming): Taken {
    if (message.t === 'game') {
      const game = message as unknown as GameSnapshot;
      this.game = game;
      this.guessed = false;
      this.legal = game.legal ? { ply: game.moves.length, moves: game.legal, leaps: game.legal_leaps ?? null } : null;
      return 'done';
    }
    // Of when only its position was followed.
    if (message.t === 'mini') return 'stale';
    const game = this.game;
    if (game === null || (this.guessed && message.seq !== undefined)) return 'gap';
    if (message.seq === undefined) {
      this.hint(game, message as unknown as GameHint);
      return 'done';
    }
    if (message.seq <= game.seq) return 'stale';
    if (message.seq > game.seq + 1) return 'gap';
    if (message.t === 'move' || message.t === 'takeback') this.legal = null;
    this.game = { ...apply(game, message as unknown as GameEvent), seq: message.seq };
    return 'done';
  }

  private hint(game: GameSnapshot, hint: GameHint): void {
    switch (hint.t) {
      case 'tick':
        // A tick that was under way while a move was made is older than the move's own reading.
        if (game.status !== 'over' && (game.clock === null || hint.clock.at >= game.clock.at)) {
          this.game = { ...game, clock: hint.clock };
        }
        return;
      case 'hold':
        if (game.clock) this.game = { ...game, clock: { ...game.clock, held: hint.why } };
        return;
      case 'legal':
        this.legal = { ply: hint.ply, moves: hint.legal, leaps: hint.leaps ?? null };
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
        // A move lapses what the opponent had offered, without an event.
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
        clock: clock && { ...clock, run: null },
        offers: NO_OFFERS,
      };
    }
    default:
      return game; // an event of a newer server: numbered all the same
  }
}

/** The moves that are left until the game is a draw; nothing while no limit counts. */
const limitOf = ({ draw_in }: { draw_in?: number }): Pick<GameSnapshot, 'draw_in'> => (draw_in === undefined ? {} : { draw_in });

export class LobbyStore {
  seeks: Seek[] = [];
  games = 0;
  online = 0;
  /** The best games being played, the best first. */
  top: LiveGame[] = [];
  /** Exhibitions that may be joined, the newest first. */
  simuls: SimulCard[] = [];
  private last: number | undefined;

  seq(): number | undefined {
    return this.last;
  }

  take(message: Incoming): Taken {
    if (message.t === 'lobby') {
      const lobby = message as unknown as LobbySnapshot;
      this.seeks = lobby.seeks;
      this.games = lobby.games;
      this.online = lobby.online;
      this.top = lobby.top;
      this.simuls = lobby.simuls;
      this.last = lobby.seq;
      return 'done';
    }
    const event = message as unknown as LobbyEvent;
    if (event.t === 'lobby.count') {
      this.games = event.games;
      this.online = event.online;
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
    } else if (event.t === 'lobby.simul_gone') {
      this.simuls = this.simuls.filter(({ simul }) => simul !== event.simul);
    }
    return 'done';
  }
}

/** In its place if it is there; else as the server ranks it, before those of its strength, which are older. */
function placed(top: readonly LiveGame[], card: LiveGame): LiveGame[] {
  if (top.some(({ g }) => g === card.g)) return top.map((known) => (known.g === card.g ? card : known));
  const at = top.findIndex((known) => strength(known) <= strength(card));
  return top.toSpliced(at < 0 ? top.length : at, 0, card);
}

/** Both ratings; who has none counts as 0. */
const strength = ({ players: { w, b } }: LiveGame): number => (w.rating ?? 0) + (b.rating ?? 0);
