/** An exhibition that is played, or was: one board large, all of them small, and how it stands. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../../app';
import { low_ms } from '../../game/view/clock-face';
import type { Incoming, SimulBoard, SimulSnapshot } from '../../net/protocol';
import { scoresOf } from '../../variants/registry';
import { say } from '../../words/words';
import { inSight, neighbour, nextWaiting, type View } from '../state/board-order';
import type { Exhibition } from '../state/simul-store';
import { Grid } from './board-grid';
import { Desk } from './board-selection';
import { outcome, outcomeOf, spokenBoard } from './cell';
import { HostStrip } from './host-extension';
import { HostTools } from './host-tools';
import { Keys } from './keys';
import { Help } from './keys-help';
import { Stage } from './main-board';
import { summary } from './summary';
import { Toolbar } from './toolbar';

/** Clocks of the grid are drawn again each second. */
const BEAT_MS = 1_000;
/** Games that are followed before the host comes to them. */
const READY = 2;
/** Results that are told as they come. */
const LATEST = 5;

export class Gallery {
  private readonly desk: Desk;
  private readonly grid: Grid;
  private readonly stage: Stage;
  private readonly strip: HostStrip;
  private readonly tools: HostTools;
  private readonly toolbar: Toolbar;
  private readonly help = new Help();
  private readonly keys: Keys;
  private readonly beat: ReturnType<typeof setInterval>;
  private pinned: readonly number[] = [];
  /** The boards of the grid, as drawn last. */
  private sight: SimulBoard[] = [];

  constructor(
    private readonly app: App,
    private readonly simul: string,
    private readonly exhibition: Exhibition,
  ) {
    const changed = () => app.changed();
    const go = (board: number) => app.attempt(() => app.socket.change({ t: 'simul.at', simul, board }));
    this.desk = new Desk(exhibition, { go, changed });
    this.grid = new Grid((board) => this.desk.pick(board));
    this.strip = new HostStrip(app, simul, exhibition, this.desk);
    this.stage = new Stage(app, this.strip);
    this.tools = new HostTools(app, simul);
    this.toolbar = new Toolbar(changed);
    this.keys = new Keys({
      next: () => this.pick(neighbour(this.sight, this.desk.shown, 1)),
      previous: () => this.pick(neighbour(this.sight, this.desk.shown, -1)),
      waiting: () => this.waiting(),
      jump: () => document.querySelector<HTMLInputElement>('[data-testid=simul-jump]')?.focus(),
      later: () => this.later(),
      follow: () => exhibition.now?.you !== 'host' && this.desk.follow(!this.desk.following),
      help: () => this.help.open(),
    });
    this.beat = setInterval(() => document.hidden || (exhibition.now?.status === 'running' && app.changed()), BEAT_MS);
  }

  close(): void {
    clearInterval(this.beat);
    this.keys.close();
    this.grid.close();
    this.stage.close();
  }

  yourMove(): boolean {
    return this.stage.yourMove();
  }

  /** `message` has been taken in; `was` the board it is about before that. */
  took(message: Incoming, was: SimulBoard | undefined): void {
    this.desk.keep(() => null);
    const { now } = this.exhibition;
    if (message.t !== 'simul.board' || now?.you !== 'host' || now.mode !== 'clock' || message.board !== this.desk.shown) return;
    const is = this.exhibition.boards.get(this.desk.shown!);
    // A board that has ended otherwise than by his move is looked at.
    const moved = was?.turn === 'host' && is !== undefined && is.ply > was.ply;
    if (moved && now.score.live > 0 && this.tools.auto(now)) this.pick(nextWaiting(this.waitingOrder(now), this.desk.shown));
  }

  /** `joining`: of who would still play. */
  draw(now: SimulSnapshot, joining: TemplateResult | typeof nothing): TemplateResult {
    const { exhibition, desk } = this;
    const time = this.app.socket.time.now();
    const host = now.you === 'host';
    const running = now.status === 'running';
    this.sight = inSight(exhibition.boards.values(), this.view(now, time));
    desk.keep(() => nextWaiting(this.sight, null) ?? this.sight[0]?.board ?? null);
    const shown = desk.shown === null ? undefined : exhibition.boards.get(desk.shown);
    this.stage.show(now, shown, host && running ? this.upcoming(now) : []);
    this.grid.show({
      boards: this.sight,
      at: now.at,
      shown: desk.shown,
      pinned: this.pinned,
      of: now,
      oneClock: now.mode === 'round',
      timed: now.tc !== null,
      low_ms: low_ms(now.tc),
      now: time,
    });
    let waiting = 0;
    for (const { status, turn } of exhibition.boards.values()) waiting += Number(status !== 'over' && turn === 'host');
    const all = exhibition.boards.size;
    return html`<div class="simul-live" data-testid="simul" data-status=${now.status} data-seq=${now.seq} data-shown=${desk.shown ?? ''} data-at=${now.at ?? ''}>
      ${summary(exhibition, now, { waiting, now: time, joining })}
      <p class="unseen" role="status" data-testid="simul-said">${shown === undefined ? nothing : spokenBoard(shown)}</p>
      ${this.stage.element}
      <section class="simul-boards" aria-label=${say('simul.boards')}>
        ${this.steering(now, shown, waiting)} ${host && running ? this.tools.draw(now, exhibition) : nothing}
        ${this.latest()} ${this.toolbar.draw({ round: now.mode === 'round' && running, running, shown: this.sight.length, all })} ${this.grid.element}
        ${running ? nothing : this.exports()}
      </section>
      ${this.help.draw(host)}
    </div>`;
  }

  private view(now: SimulSnapshot, time: number): View {
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

  /** From board to board, by hand. */
  private steering(now: SimulSnapshot, shown: SimulBoard | undefined, waiting: number): TemplateResult {
    const { desk } = this;
    const host = now.you === 'host';
    const running = now.status === 'running';
    return html`<div class="simul-steering" role="group" aria-label=${say('simul.steering')}>
      <button data-testid="previous" aria-keyshortcuts="p" title=${say('simul.previous.key')} @click=${() => this.pick(neighbour(this.sight, desk.shown, -1))}>
        ‹<span class="unseen">${say('simul.previous')}</span>
      </button>
      <button data-testid="next" aria-keyshortcuts="n" title=${say('simul.next.key')} @click=${() => this.pick(neighbour(this.sight, desk.shown, 1))}>
        ›<span class="unseen">${say('simul.next')}</span>
      </button>
      ${host && running
        ? html`<button
            class="main"
            data-testid="next-waiting"
            aria-keyshortcuts="w"
            title=${say('simul.next-waiting.key')}
            ?disabled=${waiting === 0 && now.mode === 'clock'}
            @click=${() => this.waiting()}
          >
            ${say(now.mode === 'round' ? 'simul.go-on' : 'simul.next-waiting')}
          </button>`
        : nothing}
      ${host || !running
        ? nothing
        : html`<button data-testid="follow" aria-keyshortcuts="h" title=${say('simul.follow.key')} aria-pressed=${String(desk.following)} @click=${() => desk.follow(!desk.following)}>
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
          placeholder="#"
          title=${say('simul.jump.key')}
        />
      </form>
      <button class="simul-keys" data-testid="simul-help-open" aria-keyshortcuts="?" title=${say('simul.help.key')} @click=${() => this.help.open()}>
        <span aria-hidden="true">?</span><span class="unseen">${say('simul.help.title')}</span>
      </button>
    </div>`;
  }

  private pin(board: number): TemplateResult {
    const pinned = this.pinned.includes(board);
    const turn = () => {
      this.pinned = pinned ? this.pinned.filter((other) => other !== board) : [...this.pinned, board];
      this.app.changed();
    };
    return html`<button data-testid="pin" aria-pressed=${String(pinned)} @click=${turn}>${say('simul.pin')}</button>`;
  }

  private yours(board: number): TemplateResult | typeof nothing {
    const own = this.exhibition.boards.get(board);
    if (own === undefined) return nothing;
    return html`<a class="button main" data-testid="your-board" href="/game/${own.g}" data-page>${say('simul.your-board')}</a>`;
  }

  /** The last that have ended, while one looks on. */
  private latest(): TemplateResult | typeof nothing {
    const { boards, ended } = this.exhibition;
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

  private exports(): TemplateResult {
    const address = `/api/v1/simuls/${this.simul}`;
    return html`<p class="simul-exports" data-testid="simul-exports">
      ${scoresOf(this.variants()).map((kind) => html`<a href="${address}/${kind}" download>${say(`simul.export.${kind}`)}</a> `)}
      <a href="${address}/table.csv" download>${say('simul.export.csv')}</a>
      <a href="${address}/table.json" download>${say('simul.export.json')}</a>
    </p>`;
  }

  private variants(): string[] {
    return (this.exhibition.now?.variants ?? []).map(({ variant }) => variant);
  }

  private pick(board: number | null): void {
    if (board !== null) this.desk.pick(board);
  }

  /** Where the host goes by himself: in a round to its next board, else to who has waited longest. */
  private waiting(): void {
    const { now } = this.exhibition;
    if (now === null) return;
    if (now.mode === 'round' && now.you === 'host') {
      const next = now.order.find((board) => board !== this.desk.shown);
      this.pick(next ?? null);
    } else this.pick(nextWaiting(this.waitingOrder(now), this.desk.shown));
  }

  /** What waits, among what is in the grid if any of that does. */
  private waitingOrder(now: SimulSnapshot): SimulBoard[] {
    const view = this.view(now, this.app.socket.time.now());
    const inGrid = inSight(this.exhibition.boards.values(), view);
    const waits = ({ board, status, turn }: SimulBoard) => board !== this.desk.shown && status !== 'over' && turn === 'host';
    return inGrid.some(waits) ? inGrid : [...this.exhibition.boards.values()];
  }

  private upcoming(now: SimulSnapshot): string[] {
    const { boards } = this.exhibition;
    const next = now.mode === 'round' ? now.order : this.sight.filter(({ status, turn }) => status !== 'over' && turn === 'host').map(({ board }) => board);
    return next
      .filter((board) => board !== this.desk.shown)
      .slice(0, READY)
      .flatMap((board) => boards.get(board)?.g ?? []);
  }

  private later(): void {
    const { now } = this.exhibition;
    const { shown } = this.desk;
    if (now?.you !== 'host' || now.status !== 'running' || shown === null) return;
    void this.app.attempt(() => this.app.socket.change({ t: 'simul.later', simul: this.simul, board: shown }));
  }

  private jump(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const input = form.elements.namedItem('board') as HTMLInputElement;
    const board = input.valueAsNumber;
    if (!this.exhibition.boards.has(board)) {
      this.app.say(say('simul.jump.none', { n: Number.isNaN(board) ? '?' : board }));
      return;
    }
    form.reset();
    input.blur();
    this.desk.pick(board);
  }
}
