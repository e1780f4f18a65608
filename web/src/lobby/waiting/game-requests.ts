/** Asking for games: become somebody if need be, ask once, and go to the game that comes of it. */

import { Refused, type Outgoing, type PersonalMessage, type Reply } from '../../net/protocol';
import type { AppServices } from '../../session/services';

/** Told why the server refuses; true when the person has been told. */
type RefusalHandler = (why: Refused) => boolean;

const nobody: RefusalHandler = () => false;

/** Stands for the pool: one waits in one at most. */
const POOL = 'pool';

/** What is asked for in this tab; a person has one of them, whichever page it was asked on. */
export class GameRequests {
  /** By what was asked: not answered yet. */
  private readonly underway = new Map<string, Promise<Reply | undefined>>();
  /** Ids of seeks and challenges that wait for somebody, and `POOL`. */
  private readonly open = new Set<string>();
  /** Whether the person waits in a pool, wherever that was asked for. */
  private pooled = false;
  /** Called with the seek that has come of what was asked for. */
  onseek: (seek: string) => void = () => undefined;
  /** Called with the seek that he asks to be taken back. */
  onunseek: (seek: string) => void = () => undefined;

  constructor(private readonly app: Pick<AppServices, 'attempt' | 'changed' | 'navigate' | 'session' | 'socket'>) {}

  /** Ask for a game, or take it back. The same again, before it is answered, is the same. `refused` hears why not. */
  ask(message: Outgoing, refused: RefusalHandler = nobody): Promise<Reply | undefined> {
    const words = JSON.stringify(message);
    const same = this.underway.get(words);
    if (same) return same;
    const asked = this.once(message, refused).finally(() => {
      this.underway.delete(words);
      this.app.changed();
    });
    this.underway.set(words, asked);
    this.app.changed();
    return asked;
  }

  /** Whether this, or anything, is not answered yet. */
  isUnderway(message?: Outgoing): boolean {
    return message === undefined ? this.underway.size > 0 : this.underway.has(JSON.stringify(message));
  }

  /** Whether a game that begins now may be the one that was asked for here. */
  waits(): boolean {
    return this.underway.size > 0 || this.open.size > 0;
  }

  /** Whether it was here that the person asked for the pool he waits in. */
  isPooledHere(): boolean {
    return this.open.has(POOL);
  }

  /** Told what is pushed to the person. An accepted challenge is waited for until its game is told. */
  receive(message: PersonalMessage): void {
    if (message.t === 'pool') this.pooled = true;
    else if (message.t === 'pool.gone') {
      this.pooled = false;
      // Of one that is paired the game is told next.
      if (message.why !== 'paired') this.open.delete(POOL);
    } else if (message.t === 'paired') this.open.clear();
    else if (message.t === 'challenge.gone' && message.why !== 'accepted') this.open.delete(message.challenge);
  }

  private async once(message: Outgoing, refused: RefusalHandler): Promise<Reply | undefined> {
    const { app } = this;
    const from = location.pathname;
    if (message.t === 'unseek') this.onunseek(String(message.seek));
    const reply = await app.attempt(async () => {
      await app.session.ensure();
      try {
        return await app.socket.change(message);
      } catch (error) {
        if (error instanceof Refused && refused(error)) return undefined;
        throw error;
      }
    });
    if (reply === undefined) return undefined;
    const { g, seek, challenge } = reply;
    // That he was paired may have been told before the answer came.
    if (message.t === 'pool.join' && this.pooled) this.open.add(POOL);
    if (message.t === 'unseek') this.open.delete(String(message.seek));
    if (typeof g === 'string') {
      // Of a game against oneself nothing else tells.
      if (!app.socket.games.includes(g)) app.socket.games = [...app.socket.games, g];
      if (location.pathname === from) app.navigate(`/game/${g}`);
      return reply;
    }
    if (typeof seek === 'string') this.onseek(seek);
    for (const id of [seek, challenge]) if (typeof id === 'string') this.open.add(id);
    if (message.t === 'challenge' && typeof challenge === 'string') app.navigate(`/challenge/${challenge}`);
    return reply;
  }
}
