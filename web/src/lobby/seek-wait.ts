/**
 * The lobby as this tab follows it: while its page is there, and while games of the person are listed in it, which
 * every page then says and lets him take back.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { variantAt } from '../chess960';
import { describe } from '../clock';
import type { Incoming, Seek } from '../protocol';
import { LobbyStore } from '../store';
import type { Subscription } from '../subscriptions';
import { say } from '../words';

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Kept by the browser while somebody looks for games: his id, for its other tabs and for after a reload. */
const NAME = 'seeks';

export class SeekWait {
  store = new LobbyStore();
  private subscription: Subscription | null = null;
  /** Whether the lobby is on the page. */
  private watched = false;
  /** Seeks that were asked for here and are not listed yet. */
  private readonly awaited = new Set<string>();

  constructor(
    private readonly app: Pick<App, 'asking' | 'changed' | 'socket'>,
    private readonly shelf: Shelf | null,
  ) {}

  /** The page of the lobby comes, or goes. */
  watch(watched: boolean): void {
    this.watched = watched;
    this.keep();
  }

  /** A seek was asked for here. */
  asked(seek: string): void {
    this.awaited.add(seek);
    this.note(this.app.socket.user?.id ?? null);
  }

  hear(message: Incoming): void {
    // Who is paired looks for nothing any more.
    if (message.t === 'paired') this.awaited.clear();
  }

  /** Follow the lobby as long as there is a reason; called whenever anything has changed. */
  keep(): void {
    const me = this.app.socket.user?.id;
    const seeks = this.own();
    for (const { seek } of seeks) this.awaited.delete(seek);
    if (me !== undefined && seeks.length > 0) this.note(me);
    else if (this.isTold() && this.awaited.size === 0) this.note(null);
    const wanted = this.watched || (me !== undefined && this.noted() === me);
    if (wanted && this.subscription === null) {
      this.subscription = this.app.socket.subscribe('lobby', this.store, {}, { last: !this.watched });
    } else if (!wanted && this.subscription !== null) {
      this.subscription.close();
      this.subscription = null;
      // What it lists is not kept up any more.
      this.store = new LobbyStore();
    }
  }

  /** Whether the person's seeks are known: without the line nobody knows which are left. */
  isTold(): boolean {
    return this.app.socket.line === 'open' && this.store.seq() !== undefined;
  }

  draw(): TemplateResult | typeof nothing {
    const seeks = this.own();
    if (seeks.length === 0) return nothing;
    return html`<div class="strip" data-testid="seek-wait">
      ${repeat(
        seeks,
        ({ seek }) => seek,
        (seek) => this.item(seek),
      )}
    </div>`;
  }

  private item({ seek, tc, rated, variant, position }: Seek): TemplateResult {
    const terms = [describe(tc), ...(variant === 'standard' ? [] : [variantAt(variant, position)])];
    const tempo = terms.join(' ');
    return html`<span class="own-game waits"
      ><span role="status">${say(rated ? 'pool.waits.rated' : 'pool.waits.casual', { tempo })}</span
      ><button
        data-testid="seek-stop"
        aria-label=${say('seek.stop.name', { tempo })}
        @click=${() => void this.app.asking.ask({ t: 'unseek', seek })}
      >
        ${say('pool.stop')}
      </button></span
    >`;
  }

  private own(): Seek[] {
    const me = this.app.socket.user?.id;
    return me === undefined ? [] : this.store.seeks.filter(({ user }) => user.id === me);
  }

  private noted(): string | null {
    return this.shelf?.getItem(NAME) ?? null;
  }

  private note(who: string | null): void {
    if (this.noted() === who) return;
    try {
      if (who === null) this.shelf?.removeItem(NAME);
      else this.shelf?.setItem(NAME, who);
    } catch {
      // The browser is full: then only the lobby says that he looks for a game.
    }
  }
}
