/** A simul as a fold of the server's messages. Each message costs only what it changes. */

import type { FinalScore, HostClock, SimulBoard, SimulEvent, SimulHint, SimulMessage, SimulPerson, SimulSnapshot } from '../../net/protocol';
import type { TakeResult } from '../../net/subscriptions';

export class SimulStore {
  /** The simul without its boards. A new object after each change. */
  now: SimulSnapshot | null = null;
  /** By number. A new object after each change of a board. */
  readonly boards = new Map<number, SimulBoard>();
  /** Increases when a board or the order of boards changes. */
  version = 0;
  /** Boards whose end was seen, the latest last. */
  readonly ended: number[] = [];
  /** Times of the host's moves that were seen, oldest first. */
  readonly hostMoves: number[] = [];

  /** `serverNow`: Unix milliseconds of the server. */
  constructor(private readonly serverNow: () => number) {}

  /** Number of the last event seen; undefined asks for the snapshot. */
  seq(): number | undefined {
    return this.now?.seq;
  }

  /** The board of the game `g`. */
  boardOf(g: string): SimulBoard | undefined {
    const board = this.numbers.get(g);
    return board === undefined ? undefined : this.boards.get(board);
  }

  take(message: SimulMessage): TakeResult {
    if (message.t === 'simul') {
      this.begin(message);
      return 'done';
    }
    if (message.t === 'error') return 'done';
    const { now } = this;
    if (now === null) return 'gap';
    if (!('seq' in message)) {
      this.hint(now, message);
      return 'done';
    }
    if (message.seq <= now.seq) return 'stale';
    if (message.seq > now.seq + 1 || isOfOlderServer(message)) return 'gap';
    this.now = { ...this.apply(now, message), seq: message.seq };
    return 'done';
  }

  private readonly numbers = new Map<string, number>();

  private begin(snapshot: SimulSnapshot): void {
    this.boards.clear();
    this.numbers.clear();
    for (const board of snapshot.boards) this.put(board);
    this.now = { ...snapshot, boards: [] };
    this.version += 1;
  }

  private put(board: SimulBoard): void {
    this.boards.set(board.board, board);
    this.numbers.set(board.g, board.board);
    this.version += 1;
  }

  private hint(now: SimulSnapshot, hint: SimulHint): void {
    const { t: _t, simul: _simul, ...told } = hint;
    this.now = { ...now, ...told };
  }

  private apply(now: SimulSnapshot, event: SimulEvent): SimulSnapshot {
    switch (event.t) {
      case 'simul.joined':
        return { ...now, applicants: [...without(now.applicants, event.user.id), event.user] };
      case 'simul.accepted':
        return {
          ...now,
          applicants: without(now.applicants, event.user.id),
          players: [...without(now.players, event.user.id), event.user],
        };
      case 'simul.left':
      case 'simul.rejected':
      case 'simul.kicked':
        return { ...now, applicants: without(now.applicants, event.user.id), players: without(now.players, event.user.id) };
      case 'simul.edited':
        return edited(event.person ? withPerson(now, event.person) : now, event);
      case 'simul.started': {
        for (const board of event.boards) this.put(board);
        return { ...now, ...told(event), boards: [] };
      }
      case 'simul.board':
        return this.changed(now, event);
      case 'simul.at':
        return this.arrived(clocked(now, event), event.board);
      case 'simul.later':
        return this.putOff(now, event.board, event.on);
      case 'simul.break':
        return { ...clocked(now, event), break_until: event.until };
      case 'simul.away':
        return { ...clocked(now, event), away_since: event.since, acting: event.acting ?? false, offered: event.offered ?? false };
      case 'simul.passed':
        this.change(event.board, { passes: event.passes });
        return now;
      case 'simul.countdown':
        return { ...now, countdown: event.until === null ? null : { board: event.board, until: event.until } };
      case 'simul.finished':
      case 'simul.cancelled':
        return over({ ...now, ...told(event) });
      default:
        return now; // an event of a newer server counts all the same
    }
  }

  private changed(now: SimulSnapshot, event: Extract<SimulEvent, { t: 'simul.board' }>): SimulSnapshot {
    const { t: _t, simul: _simul, seq: _seq, score, host_clock: _clock, ...change } = event;
    const was = this.boards.get(event.board);
    this.change(event.board, change);
    const is = this.boards.get(event.board);
    if (is === undefined) return now; // a change of an unknown board
    if (was && is.ply === was.ply + 1 && was.turn === 'host') this.hostMoves.push(is.clock?.at ?? this.serverNow());
    const next = clocked(score ? { ...now, score } : now, event);
    if (was === undefined) {
      const order = now.mode === 'round' ? [...now.order, event.board] : now.order;
      return { ...next, order, applicants: without(now.applicants, is.user.id) };
    }
    if (is.status !== 'over' || was.status === 'over') return next;
    this.ended.push(is.board);
    return { ...next, order: now.order.filter((board) => board !== event.board) };
  }

  /** An unknown board is added only if the change is complete. */
  private change(board: number, change: Partial<SimulBoard>): void {
    const was = this.boards.get(board);
    if (was) this.put({ ...was, ...change });
    else if (change.g !== undefined && change.user !== undefined) this.put(change as SimulBoard);
  }

  private arrived(now: SimulSnapshot, board: number | null): SimulSnapshot {
    const countdown = now.countdown?.board === board ? now.countdown : null;
    if (board === null) return { ...now, at: null, countdown };
    if (this.boards.get(board)?.later) this.change(board, { later: false });
    this.version += 1;
    return { ...now, at: board, countdown, order: now.mode === 'round' ? last(now.order, board) : now.order };
  }

  private putOff(now: SimulSnapshot, board: number, on: boolean): SimulSnapshot {
    this.change(board, { later: on });
    return on && now.mode === 'round' ? { ...now, order: last(now.order, board) } : now;
  }
}

/** Whether the person plays the host's side now: the host, or the stand-in who has taken over. */
export const actsAsHost = ({ you, acting }: SimulSnapshot): boolean => you === (acting ? 'stand_in' : 'host');

/** Whether the score is that of a finished simul. */
export const isFinal = (score: SimulSnapshot['score']): score is FinalScore => 'duration_ms' in score;

/** Whether the event lacks fields, as from the version before; the snapshot has them. */
function isOfOlderServer(message: SimulEvent): boolean {
  return ['simul.started', 'simul.finished', 'simul.cancelled'].includes(message.t) && !('status' in message);
}

function told<E extends { t: string; simul: string; seq: number }>(event: E): Omit<E, 't' | 'simul' | 'seq'> {
  const { t: _t, simul: _simul, seq: _seq, ...fields } = event;
  return fields;
}

function edited(now: SimulSnapshot, event: Extract<SimulEvent, { t: 'simul.edited' }>): SimulSnapshot {
  const { terms, stand_in } = event;
  return { ...now, ...terms, ...(stand_in === undefined ? {} : { stand_in }) };
}

function clocked(now: SimulSnapshot, event: { host_clock?: HostClock | null }): SimulSnapshot {
  return event.host_clock === undefined ? now : { ...now, host_clock: event.host_clock };
}

const over = (now: SimulSnapshot): SimulSnapshot => ({
  ...now,
  at: null,
  order: [],
  applicants: [],
  players: [],
  countdown: null,
  break_until: null,
  away_since: null,
});

const without = (people: SimulPerson[], gone: string): SimulPerson[] => people.filter(({ id }) => id !== gone);

function withPerson(now: SimulSnapshot, person: SimulPerson): SimulSnapshot {
  const put = (people: SimulPerson[]) => people.map((known) => (known.id === person.id ? person : known));
  return { ...now, applicants: put(now.applicants), players: put(now.players) };
}

/** `boards` with `board`, if it is among them, moved to the end. */
function last(boards: readonly number[], board: number | null): number[] {
  const others = boards.filter((other) => other !== board);
  return board === null || others.length === boards.length ? others : [...others, board];
}
