/** A running or finished simul: one large board, all boards small, and a summary. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../../app';
import { low_ms } from '../../game/view/clock-face';
import type { SimulBoard, SimulMessage, SimulSnapshot } from '../../net/protocol';
import { scoreFormatsOf } from '../../variants/registry';
import { say } from '../../words/words';
import { StandIn } from '../setup/stand-in';
import { boardsToShow, firstWaiting, hostsWay, neighbour, type BoardQuery } from '../state/board-order';
import { actsAsHost, type SimulStore } from '../state/simul-store';
import { BoardSelection } from './board-selection';
import { BoardToolbar } from './board-toolbar';
import { outcome, outcomeOf, spokenBoard } from './cell';
import { HostExtension } from './host-extension';
import { HostTools } from './host-tools';
import { Keys } from './keys';
import { KeysHelp } from './keys-help';
import { MainBoard } from './main-board';
import { SimulGrid } from './simul-grid';
import { summary } from './summary';

/** The grid's clocks are drawn every second. */
const BEAT_MS = 1_000;
/** Games that are loaded before the host arrives. */
const READY = 2;
/** Recent results that are shown. */
const LATEST = 5;

export class LiveSimul {
  private readonly selection: BoardSelection;
  private readonly grid: SimulGrid;
  private readonly mainBoard: MainBoard;
  private readonly hostExtension: HostExtension;
  private readonly tools: HostTools;
  private readonly standIn: StandIn;
  private readonly toolbar: BoardToolbar;
  private readonly help = new KeysHelp();
  private readonly keys: Keys;
  private readonly ticker: ReturnType<typeof setInterval>;
  private pinned: readonly number[] = [];
  /** Players could join while this page was open: their place stays, so that the board does not move. */
  private joinable = false;
  /** Boards of the grid, as last drawn. */
  private shownBoards: SimulBoard[] = [];

  constructor(
    private readonly app: App,
    private readonly simul: string,
    private readonly store: SimulStore,
  ) {
    const changed = () => app.changed();
    const go = (board: number) => app.attempt(() => app.socket.change({ t: 'simul.at', simul, board }));
    this.selection = new BoardSelection(store, { go, changed });
    this.grid = new SimulGrid((board) => this.selection.pick(board));
    this.hostExtension = new HostExtension(app, simul, store, this.selection);
    this.mainBoard = new MainBoard(app, this.hostExtension);
    this.tools = new HostTools(app, simul);
    this.standIn = new StandIn(app, simul);
    this.toolbar = new BoardToolbar(changed);
    this.keys = new Keys({
      next: () => this.pick(neighbour(this.shownBoards, this.selection.shown, 1)),
      previous: () => this.pick(neighbour(this.shownBoards, this.selection.shown, -1)),
      waiting: () => this.goToWaiting(),
      jump: () => document.querySelector<HTMLInputElement>('[data-testid=simul-jump]')?.focus(),
      later: () => this.later(),
      follow: () => store.now && !actsAsHost(store.now) && this.selection.follow(!this.selection.following),
      help: () => this.help.open(),
    });
    this.ticker = setInterval(() => document.hidden || (store.now?.status === 'running' && app.changed()), BEAT_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    this.keys.close();
    this.grid.close();
    this.mainBoard.close();
    this.hostExtension.close();
  }

  yourMove(): boolean {
    return this.mainBoard.yourMove();
  }

  /** `message` was applied; `was`: its board before. */
  received(message: SimulMessage, was: SimulBoard | undefined): void {
    this.selection.keep(() => null);
    const { now } = this.store;
    if (message.t !== 'simul.board' || now == null || !actsAsHost(now) || now.mode !== 'clock' || message.board !== this.selection.shown) return;
    const is = this.store.boards.get(this.selection.shown!);
    // If the board ended without a move of the host, stay and look.
    const moved = was?.turn === 'host' && is !== undefined && is.ply > was.ply;
    if (moved && now.score.live > 0 && this.tools.auto(now)) this.pick(this.next(now));
  }

  /** `joining`: for late joiners. */
  draw(now: SimulSnapshot, joining: TemplateResult | typeof nothing): TemplateResult {
    const { store, selection } = this;
    const time = this.app.socket.time.now();
    const host = actsAsHost(now);
    const running = now.status === 'running';
    this.shownBoards = boardsToShow(store.boards.values(), this.view(now, time));
    selection.keep(() => firstWaiting(this.shownBoards) ?? this.shownBoards[0]?.board ?? null);
    const shown = selection.shown === null ? undefined : store.boards.get(selection.shown);
    this.mainBoard.show(now, shown, host && running ? this.upcoming(now) : []);
    this.grid.show({
      boards: this.shownBoards,
      at: now.at,
      shown: selection.shown,
      pinned: this.pinned,
      of: now,
      oneClock: now.mode === 'round',
      timed: now.tc !== null,
      low_ms: low_ms(now.tc),
      now: time,
    });
    this.joinable ||= joining !== nothing;
    let waiting = 0;
    for (const { status, turn } of store.boards.values()) waiting += Number(status !== 'over' && turn === 'host');
    const all = store.boards.size;
    return html`<div class="simul-live" data-testid="simul" data-status=${now.status} data-seq=${now.seq} data-shown=${selection.shown ?? ''} data-at=${now.at ?? ''}>
      ${summary(store, now, { waiting, now: time, joining: this.joinable && !host ? html`${joining}` : null })}
      <p class="unseen" role="status" data-testid="simul-said">${shown === undefined ? nothing : spokenBoard(shown)}</p>
      ${this.mainBoard.element}
      <section class="simul-boards" aria-label=${say('simul.boards')}>
        <div class="simul-bar">
          ${this.steering(now, shown, waiting)} ${host && running ? this.tools.draw(now) : nothing} ${host ? joining : nothing}
          <span class="simul-bar-end"
            >${this.toolbar.draw({ round: now.mode === 'round' && running, running, shown: this.shownBoards.length, all })}
            <button class="simul-keys" data-testid="simul-help-open" aria-keyshortcuts="?" title=${say('simul.help.key')} @click=${() => this.help.open()}>
              <span aria-hidden="true">?</span><span class="unseen">${say('simul.help.title')}</span>
            </button></span
          >
        </div>
        ${running ? this.standIn.draw(now) : nothing} ${host && running ? this.tools.question(now, store) : nothing} ${this.latest()} ${this.grid.element}
        ${running ? nothing : this.exports(now.you === 'host')}
      </section>
      ${this.help.draw(host)}
    </div>`;
  }

  private view(now: SimulSnapshot, time: number): BoardQuery {
    const { order, filter } = this.toolbar;
    const known = order === 'round' && now.mode !== 'round' ? 'waiting' : order;
    return {
      order: now.status === 'running' ? known : 'number',
      filter,
      pinned: this.pinned,
      round: now.order,
      clockOf: now.tc === null ? null : now.mode === 'clock' ? 'host' : 'player',
      low_ms: low_ms(now.tc),
      now: time,
    };
  }

  /** Controls to go from board to board. */
  private steering(now: SimulSnapshot, shown: SimulBoard | undefined, waiting: number): TemplateResult {
    const { selection } = this;
    const host = actsAsHost(now);
    const running = now.status === 'running';
    return html`<div class="simul-steering" role="group" aria-label=${say('simul.steering')}>
      <button data-testid="previous" aria-keyshortcuts="p" title=${say('simul.previous.key')} @click=${() => this.pick(neighbour(this.shownBoards, selection.shown, -1))}>
        ‹<span class="unseen">${say('simul.previous')}</span>
      </button>
      <button data-testid="next" aria-keyshortcuts="n" title=${say('simul.next.key')} @click=${() => this.pick(neighbour(this.shownBoards, selection.shown, 1))}>
        ›<span class="unseen">${say('simul.next')}</span>
      </button>
      ${host && running
        ? html`<button
            class="main"
            data-testid="next-waiting"
            aria-keyshortcuts="w"
            title=${say('simul.next-waiting.key')}
            ?disabled=${waiting === 0 && now.mode === 'clock'}
            @click=${() => this.goToWaiting()}
          >
            ${say(now.mode === 'round' ? 'simul.go-on' : 'simul.next-waiting')}
          </button>`
        : nothing}
      ${host || !running
        ? nothing
        : html`<button data-testid="follow" aria-keyshortcuts="h" title=${say('simul.follow.key')} aria-pressed=${String(selection.following)} @click=${() => selection.follow(!selection.following)}>
            ${say('simul.follow')}
          </button>`}
      ${shown && !host ? this.pin(shown.board) : nothing}
      ${now.your_board === null ? nothing : this.yours(now.your_board)}
      <form @submit=${(event: SubmitEvent) => this.jump(event)}>
        <input
          type="number"
          inputmode="numeric"
          min="1"
          name="board"
          data-testid="simul-jump"
          aria-keyshortcuts="j"
          aria-label=${say('simul.jump')}
          placeholder=${say('simul.jump.short')}
          title=${say('simul.jump.key')}
        />
      </form>
    </div>`;
  }

  private pin(board: number): TemplateResult {
    const pinned = this.pinned.includes(board);
    const turn = () => {
      this.pinned = pinned ? this.pinned.filter((other) => other !== board) : [...this.pinned, board];
      this.app.changed();
    };
    return html`<button data-testid="pin" aria-pressed=${String(pinned)} aria-label=${say('simul.pin')} title=${say('simul.pin.long')} @click=${turn}>
      ${say('simul.pin.short')}
    </button>`;
  }

  private yours(board: number): TemplateResult | typeof nothing {
    const own = this.store.boards.get(board);
    if (own === undefined) return nothing;
    return html`<a class="button main" data-testid="your-board" href="/game/${own.g}" data-page>${say('simul.your-board')}</a>`;
  }

  /** Boards that ended last. */
  private latest(): TemplateResult | typeof nothing {
    const { boards, ended } = this.store;
    const last = ended.slice(-LATEST).reverse().flatMap((number) => boards.get(number) ?? []);
    if (last.length === 0) return nothing;
    return html`<p class="simul-latest" data-testid="simul-latest">
      <span>${say('simul.latest')}</span>
      ${repeat(
        last,
        ({ board }) => board,
        (board) =>
          html`<button data-outcome=${outcomeOf(board)} title=${spokenBoard(board)} @click=${() => this.pick(board.board)}>
            <span aria-hidden="true"><b>${board.board}</b> ${outcome(board)}</span><span class="unseen">${spokenBoard(board)}</span>
          </button>`,
      )}
    </p>`;
  }

  /** The tables are the host's. */
  private exports(host: boolean): TemplateResult {
    const address = `/api/v1/simuls/${this.simul}`;
    return html`<p class="simul-exports" data-testid="simul-exports">
      ${scoreFormatsOf(this.variants()).map((kind) => html`<a href="${address}/${kind}" download>${say(`simul.export.${kind}`)}</a> `)}
      ${host
        ? html`<a href="${address}/table.csv" download>${say('simul.export.csv')}</a>
            <a href="${address}/table.json" download>${say('simul.export.json')}</a>`
        : nothing}
    </p>`;
  }

  private variants(): string[] {
    return (this.store.now?.variants ?? []).map(({ variant }) => variant);
  }

  private pick(board: number | null): void {
    if (board !== null) this.selection.pick(board);
  }

  private goToWaiting(): void {
    const { now } = this.store;
    if (now !== null) this.pick(this.next(now));
  }

  private next(now: SimulSnapshot): number | null {
    return this.coming(now)[0] ?? null;
  }

  /** The boards to go to, the next first: in a round as the round goes, else where the host is to move. */
  private coming(now: SimulSnapshot): number[] {
    const { shown } = this.selection;
    if (now.mode === 'round' && actsAsHost(now)) return now.order.filter((board) => board !== shown);
    return hostsWay(this.store.boards.values(), this.view(now, this.app.socket.time.now()), shown).map(({ board }) => board);
  }

  private upcoming(now: SimulSnapshot): string[] {
    return this.coming(now)
      .slice(0, READY)
      .flatMap((board) => this.store.boards.get(board)?.g ?? []);
  }

  private later(): void {
    const { now } = this.store;
    const { shown } = this.selection;
    if (now == null || !actsAsHost(now) || now.status !== 'running' || shown === null) return;
    void this.app.attempt(() => this.app.socket.change({ t: 'simul.later', simul: this.simul, board: shown }));
  }

  private jump(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const input = form.elements.namedItem('board') as HTMLInputElement;
    const board = input.valueAsNumber;
    if (!this.store.boards.has(board)) {
      this.app.say(say('simul.jump.none', { n: Number.isNaN(board) ? '?' : board }));
      return;
    }
    form.reset();
    input.blur();
    this.selection.pick(board);
  }
}
