/** Which game a channel shows: its running game, after the end of one the next, and replays of finished games when there is none. */

import { BEST, nextTurn, SIMUL, type ChannelStore } from './channels';
import type { MiniGames } from './mini-games';
import { LEAST_PLIES, type Reruns } from './reruns';

/** How often to look for what comes next. */
export const BEAT_MS = 500;
/** How long to wait for a game's first message. */
const PATIENCE_MS = 10_000;

/** Instants are milliseconds of `performance.now()`. */
export interface ShownGame {
  readonly g: string;
  /** It is a replay. */
  readonly rerun: boolean;
  readonly since: number;
  /** Since when it is over, or the replay at its end. */
  over: number | null;
  /** It was running while it was shown. */
  wentOn: boolean;
}

/** The shown game, as its board knows it. */
export interface ShownState {
  /** Null until its first message. */
  status: string | null;
  plies: number;
  /** The newest position is shown. */
  live: boolean;
  /** The replay has reached the end. */
  done: boolean;
}

export class ChannelShow {
  shown: ShownGame | null = null;
  /** Another game is on, but the person is looking back in this one. */
  goneOn = false;
  /** Games known to be over. */
  private readonly ended = new Set<string>();

  /** `state`: of the shown game; `put` is called with the next one, whose board replaces the former. */
  constructor(
    private readonly channel: string,
    private readonly channels: Pick<ChannelStore, 'games'>,
    private readonly minis: Pick<MiniGames, 'get' | 'missing'>,
    private readonly reruns: Pick<Reruns, 'list' | 'search' | 'see' | 'spread'>,
    private readonly state: () => ShownState,
    private readonly put: (shown: ShownGame) => void,
  ) {}

  /** The channel's game; null if it is known to be over. While no other top game is on, it is a board of a simul. */
  told(): string | null {
    return this.toldOn(this.channel) ?? (this.channel === BEST ? this.toldOn(SIMUL) : null);
  }

  private toldOn(channel: string): string | null {
    const g = this.channels.games?.[channel] ?? null;
    if (g === null || this.ended.has(g) || this.minis.missing(g)) return null;
    // If it ended before it was shown, its end is shown, once.
    return this.shown !== null && this.minis.get(g)?.status === 'over' ? null : g;
  }

  /** Show what comes next, if it is time. Call it every `BEAT_MS`. Returns whether something has changed. */
  turn(instant: number): boolean {
    if (this.channels.games === null) return false;
    const { shown } = this;
    const state = shown && this.state();
    const ended = shown !== null && this.note(shown, state!, instant);
    const told = this.told();
    const turn = nextTurn(shown && { ...shown, ...state! }, told, this.reruns.list(), instant);
    this.goneOn = turn === 'stay' && told !== null && shown !== null && told !== shown.g && !state!.live;
    if (turn === 'search' || (shown?.over != null && told === null)) this.reruns.search(instant);
    if (typeof turn === 'object') this.show(turn.to, turn.rerun, instant);
    return ended || typeof turn === 'object';
  }

  /** Leave the shown game for the running one. */
  follow(instant: number): void {
    const told = this.told();
    if (told !== null) this.show(told, false, instant);
  }

  private show(g: string, rerun: boolean, instant: number): void {
    if (rerun) this.reruns.see(g);
    this.shown = { g, rerun, since: instant, over: null, wentOn: false };
    this.put(this.shown);
  }

  /** Returns whether the shown game has ended just now. */
  private note(shown: ShownGame, { status, plies, done }: ShownState, instant: number): boolean {
    const late = status === null && instant - shown.since > PATIENCE_MS;
    if (status === 'over') this.ended.add(shown.g);
    else if (status !== null) shown.wentOn = true;
    const over = late || (shown.rerun ? done : status === 'over');
    if (!over) shown.over = null;
    if (!over || shown.over !== null) return false;
    // A short game that was over before gives way at once, if there is another.
    const short = !shown.rerun && !shown.wentOn && plies < LEAST_PLIES;
    shown.over = short ? -Infinity : instant;
    if (shown.wentOn) this.reruns.see(shown.g);
    if (!short) this.reruns.spread(instant);
    return true;
  }
}
