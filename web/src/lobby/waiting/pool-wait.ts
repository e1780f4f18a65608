/** The pool in which the person waits. The server tells all their tabs. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { KeyValueStorage } from '../../browser/storage';
import { LIMITS, type Outgoing, type PersonalMessage, type PoolName, type Robots } from '../../net/protocol';
import type { AppServices } from '../../session/services';
import { presetControl } from '../../time/control-draft';
import { icon } from '../../ui/icons';
import { DEFAULT_VARIANT, gameOf } from '../../variants/registry';
import { termsText } from '../../variants/terms-text';
import { say } from '../../words/words';
import type { GameRequests } from './game-requests';
import { lastLevel, robotChallenge, whyNoRobot } from './robots';
import { searchLink } from './search-link';

interface Wait {
  pool: PoolName;
  rated: boolean;
  variant: string;
  since: number;
  /** The waiting user, and the number of the connection that told it. */
  who: string | undefined;
  line: number;
}

const BEAT_MS = 1_000;
/** When nobody has come for this long, a robot is offered. */
export const LONG_MS = 15_000;
/** After a longer absence the person may be elsewhere: do not join again for them. */
const REJOIN_MS = 60_000;
/** After a longer absence the person need not be told. */
const TELL_MS = 3_600_000;
/** Storage key while a tab waits: another tab may leave the pool while this one is offline. */
const NAME = 'pool';

export function joinPool(pool: PoolName, rated: boolean, variant: string): Outgoing {
  const named = variant === DEFAULT_VARIANT ? {} : { game: gameOf(variant).game, variant };
  return { t: 'pool.join', pool, rated, ...named };
}

export class PoolWait {
  now: Wait | null = null;
  /** When the connection was last seen open while waiting. */
  private open_ms = 0;
  private ticker: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly app: Pick<AppServices, 'changed' | 'say' | 'socket'> & { readonly gameRequests: GameRequests },
    private readonly storage: KeyValueStorage | null,
    private readonly robots: () => Robots | null | undefined = () => undefined,
  ) {}

  receive(message: PersonalMessage): void {
    if (message.t === 'pool') {
      // An older server has pools of standard chess only.
      const { pool, rated, variant = DEFAULT_VARIANT, since } = message;
      const { socket } = this.app;
      this.open_ms = Date.now();
      this.set({ pool, rated, variant, since, who: socket.user?.id, line: socket.connectionNumber });
      this.note(`${since} ${socket.user?.id ?? ''}`);
    } else if (message.t === 'pool.gone') {
      if (message.why === 'away') this.app.say(say('pool.away'));
      this.end();
    }
  }

  /** The rating gap that the pool accepts for the person now: it widens while they wait. */
  window(): number {
    const waited_ms = Math.max(0, this.app.socket.time.now() - (this.now?.since ?? 0));
    const widened = LIMITS.poolWindow + Math.floor((LIMITS.poolWidensPerSecond * waited_ms) / 1_000);
    return Math.min(LIMITS.poolWidest, widened);
  }

  /** A new connection has told everything about the person. */
  settle(): void {
    const { now, storage } = this;
    const { gameRequests, socket } = this.app;
    if (now === null) this.recall();
    if (now === null || now.line === socket.connectionNumber) return;
    // It was another user's, or the server no longer knows it.
    const here = gameRequests.isPooledHere() || !document.hidden;
    this.set(null);
    gameRequests.receive({ t: 'pool.gone', why: 'away' });
    if (now.who !== socket.user?.id || (storage !== null && this.noted() === null)) return;
    if (Date.now() - this.open_ms > REJOIN_MS) {
      this.note(null);
      this.app.say(say('pool.away'));
    } else if (here) {
      void gameRequests.repeat(joinPool(now.pool, now.rated, now.variant));
    }
  }

  /** Whether nobody has come for a while. */
  isLong(): boolean {
    return this.now !== null && this.app.socket.time.now() - this.now.since >= LONG_MS;
  }

  /** The same game against a robot, when nobody has come for a while; null before, and if none takes it. */
  instead(): Outgoing | null {
    const { now } = this;
    const robots = this.robots();
    if (now === null || !this.isLong() || !robots || whyNoRobot(robots, now.variant) !== null) return null;
    return robotChallenge(lastLevel(this.storage), now.variant, presetControl(now.pool));
  }

  leave(): void {
    void this.app.gameRequests.ask({ t: 'pool.leave' });
  }

  /** Shown in the header of every page. */
  items(): TemplateResult[] {
    const { now } = this;
    if (now === null) return [];
    const words = say(now.rated ? 'pool.waits.rated' : 'pool.waits.casual', { tempo: termsText(presetControl(now.pool), now.variant, null) });
    const instead = this.instead();
    return [
      html`<span class="own-game waits" data-testid="pool" data-offers=${String(instead !== null)}
        >${searchLink(instead === null ? words : `${words}. ${say('robot.instead.news')}`)}
        ${instead === null ? nothing : this.insteadButton(instead, now)}
        <span class="own-time" aria-hidden="true">${waited(this.app.socket.time.now() - now.since)}</span
        ><button class="plain" data-testid="pool-stop" aria-label=${say('pool.stop.name')} @click=${() => this.leave()}>
          ×
        </button></span
      >`,
    ];
  }

  /** The same request, while it is not answered, is sent once. The game ends the wait. */
  private insteadButton(instead: Outgoing, { pool }: Wait): TemplateResult {
    const name = say('robot.instead.name', { tempo: pool });
    return html`<button class="plain instead" data-testid="pool-robot" aria-label=${name} title=${name} @click=${() => void this.app.gameRequests.ask(instead)}>
      ${icon('robot')}<span>${say('robot.instead')}</span>
    </button>`;
  }

  /** After a reload: the person waited here, but is in no pool now. */
  private recall(): void {
    const [since, who] = this.noted()?.split(' ') ?? [];
    if (since === undefined) return;
    const { socket } = this.app;
    this.note(null);
    // If they were paired, the game is told.
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
      // The storage is full: then a tab that comes back late joins once more, and says so.
    }
  }
}

/** `0:07`, `12:05`. */
function waited(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}
