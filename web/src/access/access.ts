/**
 * A game for keyboard and ear: the board as a grid, typed moves and commands, what happens told to screen readers and,
 * if wished, by the browser's voice; and text mode, where this is the whole page.
 *
 * The page calls `show` whenever it draws, and puts the parts where they belong.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { promotions } from '../moves';
import type { GameSnapshot } from '../protocol';
import { say } from '../words';
import { Entry } from './entry';
import { BoardGrid } from './grid';
import { Speech } from './speech';
import { isToMove, type Hands, type Table } from './table';
import { tellChange, tellLast, tellPlay, tellTime } from './tell';
import { gameTitle, textPage } from './text-page';

/** One's own clock is told when it falls below each of these. */
const TELL_BELOW_MS = [60_000, 30_000, 10_000];
/** A region with more would be read again from its beginning by some readers. */
const KEPT_LINES = 4;
const ENTRY = 'entry';
const BEAT_MS = 1_000;

export interface Ways extends Hands {
  textMode(on: boolean): void;
  changed(): void;
}

export class Access {
  readonly grid: BoardGrid;
  private readonly entry: Entry;
  private readonly speech = new Speech();
  /** Heard, not seen: in text mode the page shows its own. */
  private readonly heard = document.createElement('div');
  private table: Table | null = null;
  private told = '';
  private answered = '';
  private promoting: string[] = [];
  private below: number | null = null;
  private wasText = false;
  private cameFrom: HTMLElement | null = null;
  private readonly beat: ReturnType<typeof setInterval>;

  constructor(private readonly ways: Ways) {
    const drop = (moves: string[]) => this.drop(moves);
    this.grid = new BoardGrid({ drop }, (text) => this.answer(text), () => this.toEntry());
    const own: Hands = { ...ways, drop, settings: () => ways.settings() };
    this.entry = new Entry(own, {
      tell: (text) => this.answer(text),
      toBoard: () => this.grid.focus(),
      toHelp: () => this.toHelp(),
    });
    this.heard.className = 'unseen';
    this.heard.setAttribute('aria-live', 'assertive');
    this.heard.dataset.testid = 'heard';
    document.addEventListener('keydown', this.entered);
    this.beat = setInterval(() => this.tick(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.beat);
    document.removeEventListener('keydown', this.entered);
    this.speech.stop();
  }

  /** Take the game as it is now; `earlier` is the position that the board shows while the person looks back. */
  show(table: Table, earlier: string | null = null): void {
    const before = this.table?.game;
    this.table = table;
    this.comeBack();
    this.entry.show(table);
    this.grid.show(table, earlier);
    if (before && before !== table.game && before.g === table.game.g) this.tellNews(before, table);
    if (!isToMove(table)) this.promoting = [];
  }

  /** What lies over the board of pieces, and what only ears get. */
  overlay(): TemplateResult {
    return html`${this.grid.element}${this.heard}`;
  }

  /** The page's title, for ears, and the way into text mode: the first thing for who goes by keyboard, unseen by others. */
  door(): TemplateResult {
    return html`<h1 class="unseen">${this.table === null ? nothing : gameTitle(this.table.game)}</h1>
      <button class="door" data-testid="text-mode" @click=${() => this.turn(true)}>${say('text.on')}</button>`;
  }

  /** The input beside the board of pieces. */
  input(): TemplateResult {
    return html`<div class="typing">
      ${this.entry.draw(ENTRY, true)}
      <p class="answer" data-testid="answer">${this.answered}</p>
    </div>`;
  }

  /** The whole page in text mode. */
  page(more: TemplateResult | typeof nothing = nothing): TemplateResult | typeof nothing {
    const { table } = this;
    if (table === null) return nothing;
    if (!this.wasText) queueMicrotask(() => this.toEntry());
    this.wasText = true;
    return textPage(table, {
      told: this.told,
      answered: this.answered,
      entry: this.entry.draw(ENTRY, false),
      grid: this.grid.element,
      promoting: promotions(this.promoting),
      promote: (letter) => this.promote(letter),
      command: (word) => void this.entry.command(word),
      leave: () => this.turn(false),
      more,
    });
  }

  private turn(on: boolean): void {
    this.wasText = false;
    this.answered = '';
    this.ways.textMode(on);
    if (!on) queueMicrotask(() => this.grid.focus());
  }

  /** In text mode the person is asked here; else the page asks at the square. */
  private drop(moves: string[]): void {
    const [move] = moves;
    if (!this.ways.settings().textMode) {
      this.ways.drop(moves);
      requestAnimationFrame(() => this.toChooser());
    } else if (promotions(moves).length > 1) {
      this.promoting = moves;
      this.ways.changed();
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.promoting button')?.focus());
    } else if (move !== undefined) this.ways.play(move);
  }

  /** The page asks at the square: who came by keyboard is asked where he is, and gets back to where he was. */
  private toChooser(): void {
    const choice = document.querySelector<HTMLElement>('.promotion button');
    if (!choice) return;
    this.cameFrom = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    choice.focus();
  }

  private comeBack(): void {
    if (this.cameFrom === null || document.querySelector('.promotion')) return;
    if (document.activeElement === document.body) this.cameFrom.focus();
    this.cameFrom = null;
  }

  private promote(letter: string): void {
    const move = this.promoting.find((candidate) => candidate.endsWith(letter));
    this.promoting = [];
    if (move !== undefined) this.ways.play(move);
    this.toEntry();
    this.ways.changed();
  }

  private tellNews(before: GameSnapshot, table: Table): void {
    const news = inOneGo(tellChange(before, table));
    if (news === '') return;
    const play = inOneGo(tellPlay(before, table.game));
    // The end comes after the move that made it, which is still to be heard.
    const goesOn = before.moves === table.game.moves;
    if (play !== '') this.told = goesOn ? inOneGo([this.told || tellLast(before), play]) : play;
    // What was answered to the last command is over with the next move.
    if (before.moves !== table.game.moves) this.answered = '';
    this.hear(news);
    if (this.ways.settings().speech) this.speech.say(news);
  }

  /** Clocks told in words go by the second. */
  private tick(): void {
    if (!this.table?.game.clock?.run || this.table.game.status === 'over') return;
    this.tellTimeLeft(this.table);
    if (this.ways.settings().textMode) this.ways.changed();
  }

  private tellTimeLeft(table: Table): void {
    const me = table.own.length === 1 ? table.own[0]! : null;
    const ms = me === null || table.game.clock?.run !== me ? null : table.left_ms(me);
    if (ms === null) return;
    const below = TELL_BELOW_MS.filter((mark) => mark < ms).length;
    // Not at the first look: who opens the page late has it on the clock.
    if (this.below !== null && below < this.below) this.answer(say('told.time-left', { time: tellTime(ms) }));
    this.below = below;
  }

  /** Answer what was typed or pressed. The same words again are heard again. */
  private answer(text: string): void {
    this.answered = text !== '' && text === this.answered ? `${text}\u00a0` : text;
    this.hear(text);
    this.ways.changed();
  }

  private hear(text: string): void {
    if (text === '' || this.ways.settings().textMode) return;
    const line = document.createElement('p');
    line.textContent = text;
    this.heard.append(line);
    while (this.heard.childElementCount > KEPT_LINES) this.heard.firstElementChild?.remove();
  }

  private toEntry(): void {
    document.getElementById(ENTRY)?.focus();
  }

  private toHelp(): void {
    if (!this.ways.settings().textMode) this.answer(say('help.all'));
    else document.getElementById('commands')?.focus();
  }

  /** Enter, pressed on nothing in particular, goes to the input. */
  private readonly entered = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target instanceof Element ? event.target : null;
    if (on !== document.body && on?.id !== 'page') return;
    event.preventDefault();
    this.toEntry();
  };
}

/** Several sentences, with a pause between. */
const inOneGo = (told: readonly string[]): string =>
  told.map((text, index) => (index === told.length - 1 || text.endsWith('.') ? text : `${text}.`)).join(' ');
