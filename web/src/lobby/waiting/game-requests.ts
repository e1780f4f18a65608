/** Requests for games: create a session if needed, send once, and go to the game that comes of it. */

import { Refused, WITHHELD, type Outgoing, type PersonalMessage, type Reply } from '../../net/protocol';
import type { AppServices } from '../../session/services';
import { RecentRequests } from './recent-requests';

/** Called with the refusal; returns whether it was shown. */
type RefusalHandler = (why: Refused) => boolean;

const nobody: RefusalHandler = () => false;

/** With these a client says that it knows the Laws over a board. */
const KNOWS_LAWS: readonly string[] = ['accept', 'challenge.accept'];

/** Stands for the pool; a person waits in at most one. */
const POOL = 'pool';

/** What was requested in this tab. There is one instance, whichever page the request came from. */
export class GameRequests {
  /** Requests without an answer, by their JSON, and what takes several. */
  private readonly underway = new Map<string, Promise<Reply | undefined>>();
  /** Ids of open seeks and challenges, and `POOL`. */
  private readonly open = new Set<string>();
  /** Whether the person waits in a pool, in whichever tab they joined. */
  private pooled = false;
  /** Called with the seek that a request created. */
  onseek: (seek: string) => void = () => undefined;
  /** Called with the seek that is withdrawn. */
  onunseek: (seek: string) => void = () => undefined;

  constructor(
    private readonly app: Pick<AppServices, 'attempt' | 'changed' | 'mayStart' | 'navigate' | 'session' | 'socket'>,
    readonly recent = new RecentRequests(null),
  ) {}

  /**
   * Request a game, or withdraw. The same request, while it is not answered, is sent once. `refused` gets the refusal;
   * its code is `withheld` if a host did not want to send it.
   */
  ask(message: Outgoing, refused: RefusalHandler = nobody): Promise<Reply | undefined> {
    const may = this.app.mayStart(message);
    if (may === true) return this.repeat(message, refused);
    return may.then((yes) => {
      if (yes) return this.repeat(message, refused);
      refused(new Refused(WITHHELD, ''));
      return undefined;
    });
  }

  /** Answer an invitation. `open`: it was not sent, or there is no answer, so that it can be answered later. */
  async answer(message: Outgoing): Promise<'done' | 'refused' | 'open'> {
    let final = false;
    const reply = await this.ask(message, (why) => {
      final = why.isFinal;
      return false;
    });
    if (reply !== undefined) return 'done';
    return final ? 'refused' : 'open';
  }

  /** Request again what the person waits for; a host was asked when it began. */
  repeat(message: Outgoing, refused: RefusalHandler = nobody): Promise<Reply | undefined> {
    return this.begin(JSON.stringify(message), () => this.once(message, refused));
  }

  /** Do what requests a game; while it is being done, once. */
  begin(words: string, what: () => Promise<Reply | undefined>): Promise<Reply | undefined> {
    const same = this.underway.get(words);
    if (same) return same;
    const asked = what().finally(() => {
      this.underway.delete(words);
      this.app.changed();
    });
    this.underway.set(words, asked);
    this.app.changed();
    return asked;
  }

  /** Whether this request, or any, is not answered yet. */
  isUnderway(message?: Outgoing): boolean {
    return message === undefined ? this.underway.size > 0 : this.underway.has(JSON.stringify(message));
  }

  /** Whether a game that starts now may have been requested here. */
  waits(): boolean {
    return this.underway.size > 0 || this.open.size > 0;
  }

  /** Whether the person joined the current pool in this tab. */
  isPooledHere(): boolean {
    return this.open.has(POOL);
  }

  /** Take a push to the person. An accepted challenge stays open until its game is told. */
  receive(message: PersonalMessage): void {
    if (message.t === 'pool') this.pooled = true;
    else if (message.t === 'pool.gone') {
      this.pooled = false;
      // A pairing is told next.
      if (message.why !== 'paired') this.open.delete(POOL);
    } else if (message.t === 'paired') this.open.clear();
    else if (message.t === 'challenge.gone' && message.why !== 'accepted') this.open.delete(message.challenge);
  }

  private async once(message: Outgoing, refused: RefusalHandler): Promise<Reply | undefined> {
    const { app } = this;
    const from = location.pathname;
    if (message.t === 'unseek') this.onunseek(String(message.seek));
    const reply = await app.attempt(async () => {
      try {
        await app.session.ensure();
        return await app.socket.change(KNOWS_LAWS.includes(message.t) ? { ...message, laws: true } : message);
      } catch (error) {
        if (error instanceof Refused && refused(error)) return undefined;
        throw error;
      }
    });
    if (reply === undefined) return undefined;
    this.recent.note(app.socket.user?.id, message);
    const { g, seek, challenge } = reply;
    // The pairing may arrive before the answer.
    if (message.t === 'pool.join' && this.pooled) this.open.add(POOL);
    if (message.t === 'unseek') this.open.delete(String(message.seek));
    if (typeof g === 'string') {
      // A game against oneself is told nowhere else.
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
