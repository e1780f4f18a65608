/**
 * The lobby as this tab follows it: while its page is open, while the person has open seeks, which every page shows with
 * a button to withdraw, and while they wait so long in a pool that a robot is offered.
 */

import { html, type TemplateResult } from 'lit-html';
import type { KeyValueStorage } from '../../browser/storage';
import type { PersonalMessage, Robots, Seek } from '../../net/protocol';
import type { Subscription } from '../../net/subscriptions';
import type { AppServices } from '../../session/services';
import { LobbyStore } from '../../state/lobby-store';
import { termsText } from '../../variants/terms-text';
import { say } from '../../words/words';
import type { GameRequests } from './game-requests';
import { searchLink } from './search-link';

/** Storage key while the user has open seeks: their id, for other tabs and after a reload. */
const NAME = 'seeks';
/** The seek that was withdrawn last, in any tab. */
const WITHDRAWN = 'seek-withdrawn';
/** A pairing may be told shortly after the seeks that it ends, or, on a new connection, before. */
const SETTLES_MS = 1_000;
const PAIRED_MS = 10_000;

export class SeekWait {
  store = new LobbyStore();
  /** Waits of people whom the server has refused to pair with the person. */
  readonly refused = new Set<string>();
  private subscription: Subscription | null = null;
  /** How many parts of the page show the lobby: its own page, the form of a game against a robot. */
  private watchers = 0;
  /** Seeks requested here and not listed yet. */
  private readonly awaited = new Set<string>();
  /** The person's seeks when last known. */
  private known: readonly Seek[] = [];
  private whose: string | undefined;
  private withdrawn: string | null = null;
  private paired_ms = Number.NEGATIVE_INFINITY;

  /** `waitsLong`: whether the person has waited in a pool for so long that a robot is offered. */
  constructor(
    private readonly app: Pick<AppServices, 'changed' | 'say' | 'socket'> & { readonly gameRequests: GameRequests },
    private readonly storage: KeyValueStorage | null,
    private readonly waitsLong: () => boolean = () => false,
  ) {}

  /** A part of the page that shows the lobby opens or closes. */
  watch(watched: boolean): void {
    this.watchers += watched ? 1 : -1;
    this.keep();
  }

  /** A seek was requested here. */
  asked(seek: string): void {
    this.awaited.add(seek);
    this.note(this.app.socket.user?.id ?? null);
  }

  /** A seek is withdrawn: its end need not be told. */
  withdraws(seek: string): void {
    this.withdrawn = seek;
    this.keepNote(WITHDRAWN, seek);
  }

  receive(message: PersonalMessage): void {
    if (message.t !== 'paired') return;
    // A pairing ends all seeks.
    this.awaited.clear();
    this.refused.clear();
    this.paired_ms = Date.now();
  }

  /** Follow the lobby as long as needed; call after any change. */
  keep(): void {
    const me = this.app.socket.user?.id;
    const seeks = this.own();
    this.compare(me, seeks);
    for (const { seek } of seeks) this.awaited.delete(seek);
    if (me !== undefined && seeks.length > 0) this.note(me);
    else if (this.isTold() && this.awaited.size === 0) this.note(null);
    const wanted = this.watchers > 0 || this.waitsLong() || (me !== undefined && this.noted() === me);
    if (wanted && this.subscription === null) {
      this.subscription = this.app.socket.subscribe('lobby', this.store, {}, { last: this.watchers === 0 });
    } else if (!wanted && this.subscription !== null) {
      this.subscription.close();
      this.subscription = null;
      // The list is no longer updated.
      this.store = new LobbyStore();
    }
  }

  /** Whether the person's seeks are known: offline, nobody knows which are left. */
  isTold(): boolean {
    return this.app.socket.state === 'open' && this.store.seq() !== undefined;
  }

  /** The robots of the server; null if none plays, undefined if it is not known. */
  robots(): Robots | null | undefined {
    return this.isTold() ? this.store.robots : undefined;
  }

  /** Shown in the header of every page. */
  items(): TemplateResult[] {
    return this.own().map((seek) => this.item(seek));
  }

  private item({ seek, tc, rated, variant, position }: Seek): TemplateResult {
    const tempo = termsText(tc, variant, position);
    return html`<span class="own-game waits" data-testid="seek-wait"
      >${searchLink(say(rated ? 'pool.waits.rated' : 'pool.waits.casual', { tempo }))}<button
        class="plain"
        data-testid="seek-stop"
        aria-label=${say('seek.stop.name', { tempo })}
        @click=${() => void this.app.gameRequests.ask({ t: 'unseek', seek })}
      >
        ×
      </button></span
    >`;
  }

  /** Tell of seeks that ended by themselves: after a quarter of an hour, or a long absence. */
  private compare(me: string | undefined, seeks: readonly Seek[]): void {
    if (me !== this.whose) this.known = [];
    this.whose = me;
    if (!this.isTold()) return;
    const gone = this.known.filter(({ seek }) => !seeks.some((other) => other.seek === seek));
    this.known = seeks;
    for (const seek of gone) setTimeout(() => this.miss(seek), SETTLES_MS);
  }

  private miss(seek: Seek): void {
    const isBack = this.known.some((other) => other.seek === seek.seek);
    const isPaired = Date.now() - this.paired_ms < PAIRED_MS;
    const isWithdrawn = [this.withdrawn, this.storage?.getItem(WITHDRAWN)].includes(seek.seek);
    if (isBack || isPaired || isWithdrawn || seek.user.id !== this.whose) return;
    this.app.say(say('seek.gone', { tempo: termsText(seek.tc, seek.variant, seek.position) }));
  }

  private own(): Seek[] {
    const me = this.app.socket.user?.id;
    return me === undefined ? [] : this.store.seeks.filter(({ user }) => user.id === me);
  }

  private noted(): string | null {
    return this.storage?.getItem(NAME) ?? null;
  }

  private note(who: string | null): void {
    if (this.noted() !== who) this.keepNote(NAME, who);
  }

  private keepNote(name: string, text: string | null): void {
    try {
      if (text === null) this.storage?.removeItem(name);
      else this.storage?.setItem(name, text);
    } catch {
      // The storage is full: then only the lobby shows the seek.
    }
  }
}
