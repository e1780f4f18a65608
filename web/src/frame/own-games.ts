/** The person's other running games: followed on the same socket, shown in the header. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, GameMessage, GameSnapshot } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { Subscription, TakeResult } from '../net/subscriptions';
import { opposite } from '../notation/color';
import { GameStore } from '../state/game-store';
import { format_ms, left_ms } from '../time/clock';
import { personName, personPath } from '../ui/person-name';
import { termsText } from '../variants/terms-text';
import { say, SIDES } from '../words/words';

interface Followed {
  store: GameStore;
  subscription: Subscription;
}

const BEAT_MS = 1_000;
/** The server accepts only so many subscriptions at once; more games are on the profile page. */
const MOST = 20;

export class OwnGames {
  private readonly followed = new Map<string, Followed>();
  /** Games that are not followed. */
  private more = 0;
  private ticker: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly changed: () => void,
  ) {}

  /** Follow the running games except the page's own; if there are too many, the newest. */
  keep(onPage: string | null): void {
    const others = this.socket.games.filter((g) => g !== onPage);
    const wanted = others.slice(-MOST);
    this.more = others.length - wanted.length;
    for (const [g, { subscription }] of this.followed) {
      if (wanted.includes(g)) continue;
      this.followed.delete(g);
      // The page has subscribed to its game already: closing does nothing then.
      subscription.close();
    }
    for (const g of wanted) if (!this.followed.has(g)) this.follow(g);
    this.keepTime();
  }

  /** Number of games where the person is to move. */
  waiting(): number {
    return this.games().filter((game) => mover(game, this.socket.user?.id)).length;
  }

  games(): GameSnapshot[] {
    return [...this.followed.values()].flatMap(({ store }) => store.game ?? []);
  }

  items(): TemplateResult[] {
    return [...this.inOrder().map((game) => this.item(game)), ...this.rest()];
  }

  keys(): string[] {
    return this.inOrder().map(({ g }) => g);
  }

  /** Games that wait for the person come first, in the order of their start. */
  private inOrder(): GameSnapshot[] {
    const waits = (game: GameSnapshot) => Number(mover(game, this.socket.user?.id));
    return this.games().sort((a, b) => waits(b) - waits(a));
  }

  private rest(): TemplateResult[] {
    const { user } = this.socket;
    if (this.more === 0 || user === null) return [];
    const words = say('own.more', { n: this.more });
    return [html`<a class="own-game" href=${personPath(user.name)} data-page data-testid="more-games">${words}</a>`];
  }

  private item(game: GameSnapshot): TemplateResult {
    const side = seat(game, this.socket.user?.id);
    const { user } = game.players[opposite(side)];
    const isSelf = user?.id === this.socket.user?.id;
    // Who plays both sides is always the one to move.
    const me = isSelf ? game.turn : side;
    const mine = mover(game, this.socket.user?.id);
    const ms = game.clock ? left_ms(game.clock, me, this.socket.time.now()) : null;
    return html`<a class="own-game" href="/game/${game.g}" data-page data-mine=${String(mine)} data-testid="own-game">
      <span class="own-name">${isSelf ? say('create.self') : user ? personName(user) : say('nobody')}</span>
      <small class="own-terms">${SIDES[me]} · ${termsText(game.tc, game.variant, null)} · ${say('own.move', { n: 1 + Math.floor(game.moves.length / 2) })}</small>
      <span class="own-turn">${mine ? say('own.your-turn') : say('own.their-turn')}</span>
      ${ms === null ? nothing : html`<span class="own-time">${format_ms(Math.max(ms, 0))}</span>`}
    </a>`;
  }

  private follow(g: string): void {
    const store = new GameStore();
    const topic = {
      seq: () => store.seq(),
      take: (message: GameMessage): TakeResult => {
        // A missing game keeps its place until the next welcome: another one could be missing too.
        if (message.t === 'error') return 'done';
        const taken = store.take(message);
        if (store.game?.status === 'over') {
          this.socket.games = this.socket.games.filter((other) => other !== g);
        }
        return taken;
      },
    };
    const subscription = this.socket.subscribe(`game:${g}`, topic, { ticks: false }, { last: true });
    this.followed.set(g, { store, subscription });
  }

  private keepTime(): void {
    const needed = this.followed.size > 0;
    if (needed && this.ticker === undefined) this.ticker = setInterval(this.changed, BEAT_MS);
    if (needed || this.ticker === undefined) return;
    clearInterval(this.ticker);
    this.ticker = undefined;
  }
}

const seat = (game: GameSnapshot, id: string | undefined): Color => (game.players.b.user?.id === id ? 'b' : 'w');

/** Whether the person with this id is to move. */
function mover(game: GameSnapshot, id: string | undefined): boolean {
  return game.status !== 'over' && id !== undefined && game.players[game.turn].user?.id === id;
}
