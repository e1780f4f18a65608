/** The host's actions for all boards: automatic next board, breaks, the end. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import type { BoardEnd, Outgoing, SimulBoard, SimulSnapshot } from '../../net/protocol';
import { ClickGuard } from '../../ui/click-guard';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';
import { balance } from '../state/board-order';
import type { SimulStore } from '../state/simul-store';

const BREAKS_MIN = [2, 5, 10, 20, 30, 60] as const;
const ENDS = ['draw', 'resign', 'abort'] as const satisfies readonly BoardEnd[];
const KEPT = 'simul:auto';
/** Most boards in the list; others are ended at the board. */
const MOST_SINGLE = 200;

export class HostTools {
  private minutes = 5;
  private open: 'break' | 'end' | null = null;
  /** How all boards end; null before the host has chosen. */
  private rest: BoardEnd | null = null;
  /** The host has asked for the end, and is asked whether they are sure. */
  private sure = false;
  /** The second click on the same button must be intended. */
  private readonly guard: ClickGuard;
  /** Boards that end differently from the rest. */
  private readonly single = new Map<number, BoardEnd>();
  /** In `clock` mode the page goes on to the next board. */
  private readonly kept = browserStorage('local');

  constructor(
    private readonly app: App,
    private readonly simul: string,
  ) {
    this.guard = new ClickGuard(() => app.changed());
  }

  /** Whether the host goes on automatically after a move. */
  auto({ mode, auto_next }: SimulSnapshot): boolean {
    return mode === 'round' ? auto_next : this.kept?.getItem(KEPT) !== 'no';
  }

  draw(now: SimulSnapshot): TemplateResult {
    return html`<div class="simul-host-tools" role="group" aria-label=${say('simul.host.tools')}>
      <label class="box" title=${say('simul.auto.long')}
        ><input type="checkbox" data-testid="auto-next" aria-label=${say('simul.auto')} .checked=${this.auto(now)} @change=${() => this.setAuto(now)} /> ${say('simul.auto.short')}</label
      >
      ${now.break_until === null
        ? this.toggle('break', say('simul.break'), say('simul.break.long'))
        : html`<button class="main" data-testid="break-over" @click=${() => this.ask({ t: 'simul.break', until: null })}>${say('simul.break.over')}</button>`}
      ${now.you === 'host' ? this.toggle('end', say('simul.end'), say('simul.end.long')) : nothing}
    </div>`;
  }

  /** What `draw` has opened, below its row. */
  question(now: SimulSnapshot, { boards }: Pick<SimulStore, 'boards'>): TemplateResult | typeof nothing {
    if (this.open === 'break' && now.break_until === null) return this.breaks();
    return this.open === 'end' ? this.end(now, boards) : nothing;
  }

  private toggle(what: 'break' | 'end', label: string, about: string): TemplateResult {
    const open = this.open === what;
    return html`<button data-testid="simul-${what}" title=${about} aria-expanded=${String(open)} @click=${() => this.show(open ? null : what)}>${label}</button>`;
  }

  private breaks(): TemplateResult {
    const begin = () => {
      this.show(null);
      void this.ask({ t: 'simul.break', until: Math.round(this.app.socket.time.now()) + this.minutes * 60_000 });
    };
    return html`<div class="simul-question">
      <label
        >${say('simul.break.for')}
        <select data-testid="break-minutes" @change=${(event: Event) => (this.minutes = Number((event.target as HTMLSelectElement).value))}>
          ${BREAKS_MIN.map((n) => html`<option value=${n} ?selected=${n === this.minutes}>${say('tempo.minutes', { n })}</option>`)}
        </select>
      </label>
      <button class="main" data-testid="break-begin" @click=${begin}>${say('simul.break.begin')}</button>
    </div>`;
  }

  private end({ score: { live } }: SimulSnapshot, boards: SimulStore['boards']): TemplateResult {
    const { rest } = this;
    const settled = this.sure && this.guard.isReady('sure');
    this.guard.sweep();
    const end = () => {
      if (rest === null || (this.sure && !settled)) return;
      if (!this.sure) {
        this.sure = true;
        this.app.changed();
        return;
      }
      this.show(null);
      void this.ask({ t: 'simul.end', rest, boards: Object.fromEntries(this.single) });
      this.single.clear();
    };
    const choose = (event: Event) => {
      this.rest = (event.target as HTMLSelectElement).value as BoardEnd;
      this.sure = false;
      this.app.changed();
    };
    return html`<div class="simul-question">
      <p>${say('simul.end.about-all', { n: live })}</p>
      <label
        >${say('simul.end.rest')}
        <select data-testid="end-rest" @change=${choose}>
          <option value="" disabled ?selected=${rest === null}>${say('simul.end.choose')}</option>
          ${ENDS.map((how) => html`<option value=${how} ?selected=${how === rest}>${say(`simul.end.${how}`)}</option>`)}
        </select>
      </label>
      ${this.oneByOne(boards)}
      <span class="buttons">
        <button class="grave" data-testid="end-all" ?disabled=${rest === null} aria-disabled=${this.sure && !settled ? 'true' : nothing} @click=${end}>
          ${this.sure ? say('simul.end.sure', { n: live }) : say('simul.end.all')}
        </button>
        <button data-testid="end-cancel" @click=${() => this.show(null)}>${say('form.cancel')}</button>
      </span>
    </div>`;
  }

  /** Boards with the worst balance for the host first. */
  private oneByOne(boards: SimulStore['boards']): TemplateResult {
    const live = [...boards.values()].filter(({ status }) => status !== 'over');
    const worst = live.sort((one, other) => balance(one) - balance(other) || one.board - other.board).slice(0, MOST_SINGLE);
    return html`<details class="simul-single">
      <summary>${say('simul.end.single')}</summary>
      <ul>
        ${repeat(
          worst,
          ({ board }) => board,
          (board) => html`<li>${this.choiceAt(board)}</li>`,
        )}
      </ul>
    </details>`;
  }

  private choiceAt({ board, user }: SimulBoard): TemplateResult {
    const set = (event: Event) => {
      const how = (event.target as HTMLSelectElement).value as BoardEnd | '';
      if (how === '') this.single.delete(board);
      else this.single.set(board, how);
    };
    const label = `${say('simul.board', { n: board })}, ${personText(user)}`;
    return html`<label
      ><span>${label}</span>
      <select data-testid="end-${board}" @change=${set}>
        <option value="" ?selected=${!this.single.has(board)}>${say('simul.end.as-rest')}</option>
        ${ENDS.map((how) => html`<option value=${how} ?selected=${this.single.get(board) === how}>${say(`simul.end.${how}`)}</option>`)}
      </select>
    </label>`;
  }

  private show(what: 'break' | 'end' | null): void {
    this.open = what;
    this.rest = null;
    this.sure = false;
    this.app.changed();
  }

  private setAuto(now: SimulSnapshot): void {
    const on = !this.auto(now);
    if (now.mode === 'round') void this.ask({ t: 'simul.edit', auto_next: on });
    else {
      try {
        this.kept?.setItem(KEPT, on ? 'yes' : 'no');
      } catch {
        // No storage: the choice does not last.
      }
    }
    this.app.changed();
  }

  private ask(message: Outgoing): Promise<unknown> {
    const { app, simul } = this;
    return app.attempt(() => app.socket.change({ ...message, simul }));
  }
}
