/** The host's actions at the board shown large. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import type { App } from '../../app';
import type { BesideChat, GameExtension } from '../../game/play/extension';
import type { GameSnapshot, Outgoing, SimulBoard, SimulSnapshot } from '../../net/protocol';
import { NameSuggestions } from '../../ui/name-suggestions';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { heldAt, secondsUntil } from '../state/host-distance';
import { actsAsHost, type SimulStore } from '../state/simul-store';
import type { BoardSelection } from './board-selection';
import { SimulResult } from './simul-result';

type Tab = 'chat' | 'tools';

/** Where the style sheet shows the tabs below the board. */
const SMALL = '(orientation: portrait), (max-width: 33.99rem)';

export class HostExtension implements GameExtension {
  /** The board whose adjudication is open. */
  private ending: number | null = null;
  /** The board whose time and note are edited. */
  private editing: number | null = null;
  private readonly result: SimulResult;
  private readonly names: NameSuggestions;
  /** A modal dialog: beside the board there is not enough space at every size. */
  private readonly dialog = createRef<HTMLDialogElement>();

  constructor(
    private readonly app: App,
    private readonly simul: string,
    private readonly store: SimulStore,
    private readonly selection: Pick<BoardSelection, 'going' | 'pick'>,
  ) {
    this.small.addEventListener('change', this.resized);
    this.result = new SimulResult(() => app.changed());
    this.names = new NameSuggestions('stand-in-people', () => app.changed());
  }

  /** The tab that is shown; on a small screen only once the person has opened one. */
  private tab: Tab = 'chat';
  private opened = false;
  private readonly small = matchMedia(SMALL);
  private readonly resized = () => this.app.changed();
  /** Lines of chat that others had written when it was last shown. */
  private read = 0;

  /** In a round the host moves only at their board, and not before they have arrived there: the server would refuse. */
  mayMove(game: GameSnapshot): boolean | 'soon' {
    const { now } = this.store;
    const board = this.store.boardOf(game.g);
    if (now?.mode !== 'round' || board === undefined) return true;
    if (now.at === board.board) return heldAt(board, game) !== 'round' || 'soon';
    return this.selection.going && 'soon';
  }

  replaceMove(): null {
    return null;
  }

  afterConflict(): null {
    return null;
  }

  boardMarks(): typeof nothing {
    return nothing;
  }

  overlay(): TemplateResult | typeof nothing {
    const { now } = this.store;
    return now === null ? nothing : this.result.draw(now);
  }

  close(): void {
    this.small.removeEventListener('change', this.resized);
    this.names.close();
  }

  strip(game: GameSnapshot): TemplateResult | typeof nothing {
    const { now } = this.store;
    const board = this.store.boardOf(game.g);
    if (now === null || board === undefined) return nothing;
    return html`<section class="simul-strip" aria-label=${say('simul.board', { n: board.board })} data-testid="simul-strip">
      <p class="simul-strip-title">
        <span><b>${say('simul.board', { n: board.board })}</b> ${handicap(board)}</span>
        <a href="/game/${board.g}" data-page title=${say('simul.game.long')}>${say('simul.game')}</a>
      </p>
      ${actsAsHost(now) && now.status === 'running' ? html`${this.tools(board)} ${this.edited()}` : nothing} ${this.here(now, board)}
    </section>`;
  }

  /** What happens at the board besides the game. */
  private here(now: SimulSnapshot, { board, turn, status }: SimulBoard): TemplateResult | typeof nothing {
    const { countdown, at, mode } = now;
    if (status === 'over') return nothing;
    if (countdown?.board === board) {
      const n = secondsUntil(countdown.until, this.app.socket.time.now());
      return html`<p role="status" data-testid="simul-countdown">${say('simul.countdown.other', { n })}</p>`;
    }
    if (mode !== 'round' || !actsAsHost(now)) return nothing;
    if (at !== board) return this.elsewhere(board, at, now.break_until !== null);
    return turn === 'player' ? html`<p role="status">${say('simul.waits.here')}</p>` : nothing;
  }

  /** The host looks at `board` while they are at `at`. */
  private elsewhere(board: number, at: number | null, stands: boolean): TemplateResult {
    const { selection } = this;
    if (selection.going || at === null) return html`<p role="status">${say('simul.going')}</p>`;
    return html`<p role="status" data-testid="simul-elsewhere">${say('simul.at.you', { n: at })}</p>
      <div class="simul-tools">
        <button data-testid="go-back" @click=${() => selection.pick(at)}>${say('simul.go-back', { n: at })}</button>
        ${stands ? nothing : html`<button class="main" data-testid="come-here" @click=${() => selection.pick(board)}>${say('simul.come-here')}</button>`}
      </div>`;
  }

  private tools(board: SimulBoard): TemplateResult {
    const over = board.status === 'over';
    const note = this.noteOf(board);
    // In `clock` mode only a board that waits can be put off.
    const waits = this.store.now?.mode === 'round' || board.turn === 'host';
    return html`<div class="simul-tools">
        ${over
          ? nothing
          : html`<button
              data-testid="later"
              aria-pressed=${String(board.later ?? false)}
              title=${say('simul.later.long')}
              ?disabled=${!waits}
              @click=${() => this.later(board)}
            >
              ${say('simul.later')}
            </button>
            <button
              data-testid="adjudicate"
              title=${say('simul.adjudicate.long')}
              aria-expanded=${String(this.ending === board.board)}
              @click=${() => this.open(this.ending === board.board ? null : board.board)}
            >
              ${say('simul.adjudicate')}
            </button>`}
        ${this.store.now?.you !== 'host'
          ? nothing
          : html`<button
          data-testid="board-edit"
          aria-haspopup="dialog"
          title=${say('simul.board.edit.long', { n: board.board })}
          @click=${() => this.edit(board.board)}
        >
          ${say('simul.board.edit')}
        </button>`}
      </div>
      ${over || this.ending !== board.board ? nothing : this.ends(board)}
      ${note === ''
        ? nothing
        : html`<p class="simul-noted" data-testid="noted"><span class="unseen">${say('simul.note', { n: board.board })}: </span>${note}</p>`}`;
  }

  private ends(board: SimulBoard): TemplateResult {
    const end = (result: string, name: string, text: string) =>
      html`<button data-testid="end-${name}" @click=${() => this.adjudicate(board, result)}>${text}</button>`;
    return html`<div class="simul-tools">
      ${end('1/2-1/2', 'draw', say('simul.end.draw'))}
      ${end(board.color === 'w' ? '0-1' : '1-0', 'resign', say('simul.end.resign'))}
      ${board.status === 'created' ? end('*', 'abort', say('simul.end.abort')) : nothing}
    </div>`;
  }

  /** Dialog for the board it was opened for, whichever is shown now. */
  private edited(): TemplateResult {
    const board = this.editing === null ? undefined : this.store.boards.get(this.editing);
    const closed = () => this.edit(null);
    return html`<dialog ${ref(this.dialog)} class="simul-dialog" aria-labelledby="board-edit-title" data-testid="board-dialog" @close=${closed}>
      ${board === undefined ? nothing : this.handicap(board, this.noteOf(board))}
    </dialog>`;
  }

  /** Extra time, which can be given but not taken back, and the host's note. */
  private handicap(board: SimulBoard, note: string): TemplateResult {
    const { now } = this.store;
    const timed = board.status !== 'over' && now !== null && !now.rated && now.tc !== null;
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      const asked = changesOf(board, note, new FormData(event.target as HTMLFormElement));
      const done = asked === null || (await this.ask({ t: 'simul.edit', board: board.board, ...asked })) !== undefined;
      if (done && this.editing === board.board) this.dialog.value?.close();
    };
    const seconds = (name: string, label: string, given: number | undefined) =>
      html`<label
        >${label}
        <input type="number" inputmode="numeric" name=${name} data-testid="board-${name}" min=${given ?? 0} max="36000" step="1" required .value=${String(given ?? 0)}
      /></label>`;
    return html`<form class="simul-handicap" data-testid="board-handicap" @submit=${submit}>
      <h2 id="board-edit-title">${say('simul.board.edit.title', { n: board.board, name: personText(board.user) })}</h2>
      ${timed ? seconds('player', say('simul.handicap.player'), board.player_extra_s) : nothing}
      ${timed && now.mode === 'clock' ? seconds('host', say('simul.handicap.host'), board.host_extra_s) : nothing}
      <label
        >${say('simul.handicap.note')}
        <input type="text" name="note" maxlength="200" autocomplete="off" data-testid="note" .value=${note} />
      </label>
      <div class="buttons">
        <button class="main" data-testid="board-save">${say('simul.save')}</button>
        <button type="button" data-testid="board-cancel" @click=${() => this.dialog.value?.close()}>${say('form.cancel')}</button>
      </div>
    </form>`;
  }

  private noteOf({ board }: SimulBoard): string {
    return this.store.now?.notes?.[String(board)] ?? '';
  }

  /** Chat and tools as tabs below the board. */
  beside(about: TemplateResult, { drawn, heard }: BesideChat): TemplateResult {
    const tab = drawn === nothing ? 'tools' : this.tab;
    const isShown = (name: Tab) => name === tab && (this.opened || !this.small.matches);
    // Another board begins with none.
    this.read = isShown('chat') ? heard : Math.min(this.read, heard);
    const unread = drawn !== nothing && heard > this.read;
    const one = (name: Tab) =>
      html`<button
        role="tab"
        id="tab-${name}"
        aria-selected=${String(isShown(name))}
        aria-controls="panel-${name}"
        tabindex=${tab === name ? 0 : -1}
        data-testid="tab-${name}"
        @click=${() => this.turn(name)}
        @keydown=${(event: KeyboardEvent) => this.tabKey(event, name)}
      >
        ${say(`simul.tab.${name}`)}
        ${name === 'chat' && unread
          ? html`<b class="simul-unread" data-testid="chat-unread"><span class="unseen">${say('simul.tab.unread')}</span></b>`
          : nothing}
      </button>`;
    // A panel that is not shown keeps what was typed there.
    const panel = (name: Tab, inside: TemplateResult | typeof nothing) =>
      html`<div class="simul-panel" role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}" ?hidden=${!isShown(name)}>${inside}</div>`;
    return html`<div class="simul-side">
      <div class="simul-side-tabs" role="tablist" aria-label=${say('simul.tabs')}>${drawn === nothing ? nothing : one('chat')} ${one('tools')}</div>
      ${drawn === nothing ? nothing : panel('chat', drawn)} ${panel('tools', html`${about} ${this.naming()}`)}
    </div>`;
  }

  /** Who may play for the host if they drop out, or hand over. */
  private naming(): TemplateResult | typeof nothing {
    const { now } = this.store;
    if (now?.you !== 'host' || now.status !== 'running' || now.acting || now.rated || now.delay_s > 0) return nothing;
    const { stand_in, offered } = now;
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const name = String(new FormData(event.target as HTMLFormElement).get('name')).trim();
      void this.ask({ t: 'simul.edit', stand_in: name === '' ? null : name });
    };
    return html`<form class="simul-naming" @submit=${submit}>
      <label
        >${say('simul.form.stand-in')}
        <input
          type="text"
          name="name"
          maxlength="32"
          list=${this.names.id}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          data-testid="stand-in-name"
          .defaultValue=${stand_in?.name ?? ''}
          @input=${(event: Event) => this.names.typed((event.target as HTMLInputElement).value)} />
        ${this.names.draw()}
      </label>
      <button data-testid="stand-in-save">${say('simul.save')}</button>
      ${stand_in && !offered
        ? html`<button type="button" data-testid="hand_over" @click=${() => void this.ask({ t: 'simul.hand_over' })}>${say('simul.stand-in.hand-over')}</button>`
        : nothing}
    </form>`;
  }

  /** On a small screen the open tab is closed again. */
  private turn(tab: Tab): void {
    this.opened = tab !== this.tab || !this.opened;
    this.tab = tab;
    this.app.changed();
  }

  private tabKey(event: KeyboardEvent, tab: Tab): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    // The arrow keys step through the moves elsewhere on the page.
    event.stopPropagation();
    const other = tab === 'chat' ? 'tools' : 'chat';
    const button = document.getElementById(`tab-${other}`);
    if (button === null) return;
    this.opened = true;
    this.tab = other;
    this.app.changed();
    button.focus();
  }

  private edit(board: number | null): void {
    this.editing = board;
    const dialog = this.dialog.value;
    if (board !== null && dialog && !dialog.open) dialog.showModal();
    this.app.changed();
  }

  private later({ board }: SimulBoard): void {
    void this.ask({ t: 'simul.later', board });
  }

  private adjudicate({ g }: SimulBoard, result: string): void {
    this.open(null);
    void this.ask({ t: 'simul.adjudicate', g, result });
  }

  private open(board: number | null): void {
    this.ending = board;
    this.app.changed();
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul } = this;
    return app.attempt(() => app.socket.change({ ...message, simul }));
  }
}

/** The changed fields of the form; null if there are none. */
export function changesOf(board: SimulBoard, note: string, form: Pick<FormData, 'get'>): Partial<Outgoing> | null {
  const seconds = (name: string, given = 0) => Math.max(given, Math.round(Number(form.get(name)) || 0));
  const player = seconds('player', board.player_extra_s);
  const host = seconds('host', board.host_extra_s);
  const words = String(form.get('note') ?? '').trim();
  const asked = {
    ...(player === (board.player_extra_s ?? 0) ? {} : { player_extra_s: player }),
    ...(host === (board.host_extra_s ?? 0) ? {} : { host_extra_s: host }),
    ...(words === note ? {} : { note: words }),
  };
  return Object.keys(asked).length === 0 ? null : asked;
}

function handicap({ player_extra_s, host_extra_s }: SimulBoard): string {
  return [
    player_extra_s ? say('simul.extra.player', { n: player_extra_s }) : '',
    host_extra_s ? say('simul.extra.host', { n: host_extra_s }) : '',
  ]
    .filter(Boolean)
    .map((text) => `· ${text}`)
    .join(' ');
}
