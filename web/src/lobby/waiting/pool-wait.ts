/** The pool in which the person waits for an opponent, as the server tells it to all of his tabs. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { KeyValueStorage } from '../../browser/storage';
import type { Outgoing, PersonalMessage, PoolName } from '../../net/protocol';
import type { AppServices } from '../../session/services';
import { say } from '../../words/words';
import type { GameRequests } from './game-requests';

interface Wait {
  pool: PoolName;
  rated: boolean;
  since: number;
  /** Who waits, and the line he was told it on. */
  who: string | undefined;
  line: number;
}

const BEAT_MS = 1_000;
/** Who comes back later than this may have gone on to other things: no game is begun for him. */
const REJOIN_MS = 60_000;
/** Who came back after so long has forgotten that he waited. */
const TELL_MS = 3_600_000;
/** Kept by the browser while a tab of it waits: another tab may take it back while this one has no line. */
const NAME = 'pool';

export const joinPool = (pool: PoolName, rated: boolean): Outgoing => ({ t: 'pool.join', pool, rated });

export class PoolWait {
  now: Wait | null = null;
  /** When the line was last seen open while he waited. */
  private open_ms = 0;
  private ticker: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly app: Pick<AppServices, 'changed' | 'say' | 'socket'> & { readonly gameRequests: GameRequests },
    private readonly storage: KeyValueStorage | null,
  ) {}

  receive(message: PersonalMessage): void {
    if (message.t === 'pool') {
      const { pool, rated, since } = message;
      const { socket } = this.app;
      this.open_ms = Date.now();
      this.set({ pool, rated, since, who: socket.user?.id, line: socket.connectionNumber });
      this.note(`${since} ${socket.user?.id ?? ''}`);
    } else if (message.t === 'pool.gone') {
      if (message.why === 'away') this.app.say(say('pool.away'));
      this.end();
    }
  }

  /** All that a new line tells of the person has been told. */
  settle(): void {
    const { now, storage } = this;
    const { gameRequests, socket } = this.app;
    if (now === null) this.recall();
    if (now === null || now.line === socket.connectionNumber) return;
    // It was told to somebody else, or the server has forgotten it.
    const here = gameRequests.isPooledHere() || !document.hidden;
    this.set(null);
    gameRequests.receive({ t: 'pool.gone', why: 'away' });
    if (now.who !== socket.user?.id || (storage !== null && this.noted() === null)) return;
    if (Date.now() - this.open_ms > REJOIN_MS) {
      this.note(null);
      this.app.say(say('pool.away'));
    } else if (here) {
      void gameRequests.ask(joinPool(now.pool, now.rated));
    }
  }

  leave(): void {
    void this.app.gameRequests.ask({ t: 'pool.leave' });
  }

  /** In sight on every page. */
  draw(): TemplateResult | typeof nothing {
    const { now } = this;
    if (now === null) return nothing;
    const words = say(now.rated ? 'pool.waits.rated' : 'pool.waits.casual', { tempo: now.pool });
    return html`<div class="strip" data-testid="pool">
      <span class="own-game waits"
        ><span role="status">${words}</span>
        <span class="own-time" aria-hidden="true">${waited(this.app.socket.time.now() - now.since)}</span
        ><button data-testid="pool-stop" aria-label=${say('pool.stop.name')} @click=${() => this.leave()}>
          ${say('pool.stop')}
        </button></span
      >
    </div>`;
  }

  /** After a reload: he waited here a while ago, and the server has told of no pool. */
  private recall(): void {
    const [since, who] = this.noted()?.split(' ') ?? [];
    if (since === undefined) return;
    const { socket } = this.app;
    this.note(null);
    // Of one who was paired in the meantime the game is told.
    if (who !== socket.user?.id || socket.games.length > 0) return;
    if (socket.time.now() - Number(since) < TELL_MS) this.app.say(say('pool.lost'));
  }

  private end(): void {
    this.set(null);
    this.note(null);
  }

  private set(wait: Wait | null): void {
    this.now = wait;
    this.app.changed();
    if (wait !== null) {
      this.ticker ??= setInterval(() => {
        if (this.app.socket.state === 'open') this.open_ms = Date.now();
        this.app.changed();
      }, BEAT_MS);
    } else {
      clearInterval(this.ticker);
      this.ticker = undefined;
    }
  }

  private noted(): string | null {
    return this.storage?.getItem(NAME) ?? null;
  }

  private note(text: string | null): void {
    try {
      if (text === null) this.storage?.removeItem(NAME);
      else this.storage?.setItem(NAME, text);
    } catch {
      // The browser is full: then a tab that comes back late waits once more, and says so.
    }
  }
}

/** `0:07`, `12:05`. */
function waited(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}
