/** The running simuls in which the person plays for the host or may take over: followed on the same socket, with a way back in the header. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulMessage, SimulSnapshot } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { Subscription } from '../net/subscriptions';
import type { SimulStore } from '../simul/state/simul-store';
import type { FollowedSimul } from '../ui/page';
import { say } from '../words/words';

interface Followed {
  store: SimulStore;
  subscription: Subscription;
}

/** More at once are not followed: a simul may have a thousand boards. */
const MOST = 3;
/** A thousand boards send many messages a second; the page is drawn at most this often for them. */
const DRAW_MS = 500;

export class HostedSimuls {
  private readonly followed = new Map<string, Followed>();
  /** Loaded with the first simul: most people host none. */
  private store: typeof SimulStore | null = null;
  private loading = false;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private onPage: FollowedSimul | null = null;

  constructor(
    private readonly socket: Pick<Socket, 'simuls' | 'subscribe' | 'time'>,
    private readonly changed: () => void,
  ) {}

  /** Follow all but `onPage`, which the page follows. */
  keep(onPage: FollowedSimul | null): void {
    this.onPage = onPage;
    const wanted = this.socket.simuls.filter((simul) => simul !== onPage?.simul).slice(0, MOST);
    for (const [simul, { subscription }] of this.followed) {
      if (wanted.includes(simul)) continue;
      this.followed.delete(simul);
      // The page has subscribed already: closing does nothing then.
      subscription.close();
    }
    if (wanted.length > 0 && this.store === null) void this.load();
    else for (const simul of wanted) if (!this.followed.has(simul)) this.follow(simul);
  }

  /** The simul whose clocks run while the person is elsewhere; null without one. What is not known yet may run. */
  running(): string | null {
    const runs = (simul: string) => {
      const now = this.known(simul)?.now;
      return now == null || (plays(now) && now.status === 'running' && now.break_until === null && now.score.live > 0 && isHostTimed(now));
    };
    return this.socket.simuls.find(runs) ?? null;
  }

  /** All but the one whose page is open. */
  items(): TemplateResult[] {
    const here = location.pathname;
    return this.socket.simuls.filter((simul) => here !== `/simul/${simul}`).map((simul) => this.item(simul));
  }

  private item(simul: string): TemplateResult {
    const store = this.known(simul);
    const waiting = store === undefined ? 0 : waitingIn(store);
    const now = store?.now;
    const mine = now != null && plays(now);
    return html`<a class="own-game hosted" href="/simul/${simul}" data-page data-mine=${String(waiting > 0 && mine)} title=${now?.name ?? nothing} data-testid="hosted-simul">
      <span class="own-name">${say(now?.you === 'stand_in' && !mine ? 'hosted.take-over' : 'hosted.name')}</span>
      ${now ? html`<span class="own-turn">${say('hosted.waiting', { n: waiting })}</span>` : nothing}
      <span class="own-return">${say('hosted.return')}</span>
    </a>`;
  }

  private known(simul: string): FollowedSimul['store'] | undefined {
    return this.onPage?.simul === simul ? this.onPage.store : this.followed.get(simul)?.store;
  }

  private async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      this.store = (await import('../simul/state/simul-store')).SimulStore;
    } catch {
      // Offline: the next drawing tries again.
    } finally {
      this.loading = false;
    }
    if (this.store !== null) this.changed();
  }

  private follow(simul: string): void {
    const store = new this.store!(() => this.socket.time.now());
    const take = (message: SimulMessage) => {
      const taken = store.take(message);
      if (store.now?.status === 'finished') this.socket.simuls = this.socket.simuls.filter((other) => other !== simul);
      this.drawing ??= setTimeout(() => {
        this.drawing = undefined;
        this.changed();
      }, DRAW_MS);
      return taken;
    };
    const topic = { seq: () => store.seq(), take, quiet: true };
    const subscription = this.socket.subscribe(`simul:${simul}`, topic, {}, { last: true });
    this.followed.set(simul, { store, subscription });
  }
}

/** Without a control of their own the host has that of the players. */
const isHostTimed = ({ host_tc, tc }: SimulSnapshot): boolean => (host_tc === null ? tc !== null : host_tc !== 'none');

/** As `actsAsHost` of the store's module, which is loaded with the first simul. */
const plays = ({ you, acting }: SimulSnapshot): boolean => you === (acting ? 'stand_in' : 'host');

function waitingIn(store: FollowedSimul['store']): number {
  let n = 0;
  for (const { status, turn } of store.boards.values()) n += Number(status !== 'over' && turn === 'host');
  return n;
}
