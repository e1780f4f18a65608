/**
 * A game for keyboard and ear: the board as a grid, typed moves and commands, what happens told to screen readers and,
 * if wished, by the browser's voice; and text mode, where this is the whole page.
 *
 * The page calls `show` whenever it draws, and puts the parts where they belong.
 */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { GameMessage, GameSnapshot } from '../net/protocol';
import { forSpeech, type Utterance } from '../notation/tell-move';
import { abilitiesOf } from '../variants/registry';
import { isKey, say } from '../words/words';
import { AbsenceNotices } from './absence-notices';
import type { GameActions, AccessibleGame } from './accessible-game';
import { FocusKeeper } from './focus-keeper';
import { MoveEntry } from './move-entry';
import { sentences, sentencesOf } from './sentences';
import { Speech } from './speech';
import { SquareGrid } from './square-grid';
import { tellLast, tellNewOffers, tellPlay, tellStanding, tellTime, tellUci } from './tell';
import { gameTitle, textPage } from './text-page';

/** One's own clock is told when it falls below each of these. */
const TELL_BELOW_MS = [60_000, 30_000, 10_000];
/** A region with more would be read again from its beginning by some readers. */
const KEPT_LINES = 4;
const ENTRY = 'entry';
const BEAT_MS = 1_000;

type Part = TemplateResult | typeof nothing;

export interface AccessActions extends GameActions {
  textMode(on: boolean): void;
  changed(): void;
}

export class AccessLayer {
  readonly grid: SquareGrid;
  private readonly entry: MoveEntry;
  private readonly speech = new Speech();
  private readonly focus = new FocusKeeper();
  private readonly absence = new AbsenceNotices();
  /** Heard, not seen: in text mode the page shows its own. */
  private readonly liveRegion = document.createElement('div');
  private table: AccessibleGame | null = null;
  private told: readonly Utterance[] = [];
  private answered: Utterance = { text: '' };
  private noticed = '';
  /** An offer that was just turned down. */
  private declined = '';
  /** The move ahead is gone because the person would have it so: he has been answered. */
  private cancelled = false;
  private below: number | null = null;
  private wasText = false;
  /** A piece was put down by way of this: if it is asked what it becomes, the question gets the focus. */
  private dropping = false;
  private cameFrom: HTMLElement | null = null;
  private readonly ticker: ReturnType<typeof setInterval>;

  constructor(private readonly actions: AccessActions) {
    const drop = (moves: string[], draw?: boolean) => this.drop(moves, draw);
    const ahead = (move: string | null) => {
      this.cancelled = true;
      return actions.setPremove(move);
    };
    const own: GameActions = { ...actions, drop, setPremove: ahead };
    this.grid = new SquareGrid(own, (text, lang) => this.answer(text, lang), () => this.toEntry());
    this.entry = new MoveEntry(own, {
      tell: (text, lang) => this.answer(text, lang),
      toBoard: (square) => this.grid.focus(square),
      toHelp: () => this.toHelp(),
      leave: () => this.leave(),
    });
    this.liveRegion.className = 'unseen';
    this.liveRegion.setAttribute('aria-live', 'assertive');
    this.liveRegion.dataset.testid = 'heard';
    document.addEventListener('keydown', this.entered);
    this.ticker = setInterval(() => this.tick(), BEAT_MS);
  }

  close(): void {
    clearInterval(this.ticker);
    document.removeEventListener('keydown', this.entered);
    this.speech.stop();
  }

  /** Take the game as it is now, before it is drawn. */
  show(table: AccessibleGame): void {
    const before = this.table;
    this.table = table;
    if (table.choosing.length === 0) this.comeBack();
    this.focus.keep(this.actions.settings().textMode);
    this.entry.show(table);
    this.grid.show(table);
    if (before?.game.g === table.game.g) this.tellNews(before, table);
    else this.absence.notice(table.away_ms);
  }

  /** A message about the game, before it is drawn. */
  take(message: GameMessage): void {
    if (message.t !== 'offer' || message.do !== 'decline') return;
    const key: string = `offer.${message.what}`;
    if (isKey(key)) this.declined = say('offer.refused', { what: say(key as 'offer.draw') });
  }

  /** What lies over the board of pieces, and what only ears get. */
  overlay(): TemplateResult {
    return html`${this.grid.element}${this.liveRegion}`;
  }

  /**
   * The game's title, for ears, and the way into text mode, where the game has one: the first thing for who goes by
   * keyboard, unseen by others. `part`: of a page that has a title of its own.
   */
  heading(part: boolean): TemplateResult {
    const title = this.table === null ? nothing : gameTitle(this.table.game);
    const spoken = this.table !== null && abilitiesOf(this.table.game.variant).textMode;
    return html`${part ? html`<h2 class="unseen">${title}</h2>` : html`<h1 class="unseen">${title}</h1>`}
      ${spoken ? html`<button class="door" data-testid="text-mode" @click=${() => this.turn(true)}>${say('text.on')}</button>` : nothing}`;
  }

  /** The input beside the board of pieces. */
  input(): TemplateResult {
    return html`<div class="typing">
      ${this.entry.draw(ENTRY, true)}
      <p class="answer" data-testid="answer">${sentences([this.answered])}</p>
    </div>`;
  }

  /** The whole page in text mode; `asked` is what waits for a yes. */
  page(asked: Part = nothing, more: Part = nothing): Part {
    const { table } = this;
    if (table === null) return nothing;
    if (!this.wasText) queueMicrotask(() => this.toEntry());
    this.wasText = true;
    return textPage(table, {
      told: this.told,
      answered: this.answered,
      noticed: this.noticed,
      entry: this.entry.draw(ENTRY, false),
      grid: this.grid.element,
      asked,
      choosing: table.kind.choices(table.choosing),
      choose: (value) => this.actions.choose(value),
      command: (word) => this.entry.command(word),
      leave: () => this.turn(false),
      more,
    });
  }

  private turn(on: boolean): void {
    this.wasText = false;
    this.answered = { text: '' };
    this.noticed = '';
    this.actions.textMode(on);
    if (!on) queueMicrotask(() => this.grid.focus());
  }

  private drop(moves: string[], draw?: boolean): void {
    this.dropping = true;
    this.actions.drop(moves, draw);
    requestAnimationFrame(() => this.toChooser());
  }

  /** Who came by keyboard is asked where he is, and gets back to where he was. */
  private toChooser(): void {
    this.dropping = false;
    const choice = document.querySelector<HTMLElement>('.promotion button, .promoting button, .ways button');
    if (!choice) return;
    this.cameFrom = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    choice.focus();
  }

  private comeBack(): void {
    const { cameFrom } = this;
    this.cameFrom = null;
    if (cameFrom === null) return;
    queueMicrotask(() => document.activeElement === document.body && cameFrom.focus());
  }

  private tellNews(before: AccessibleGame, table: AccessibleGame): void {
    const play = tellPlay(before.game, table.game, table.telling);
    const offers = tellNewOffers(before.game, table);
    const others = [...tellStanding(before.game, table), ...this.tellOwn(before, table)];
    if (play.length > 0) this.took(before, table.game, play);
    if (others.length > 0) this.noticed = fresh(inOneGo(others), this.noticed);
    const news = [...play, ...[...offers, ...others].map((text) => ({ text }))];
    if (news.length === 0) return;
    this.announce(news);
    if (this.actions.settings().speech) this.speech.say([...tellPlay(before.game, table.game, forSpeech(table.telling)), ...news.slice(play.length)]);
  }

  private took({ game: before, telling }: AccessibleGame, game: GameSnapshot, play: readonly Utterance[]): void {
    const goesOn = before.moves !== game.moves;
    // The end comes after the move that made it, which is still to be heard.
    this.told = goesOn ? play : [...(this.told.length > 0 ? this.told : [tellLast(before, telling)]), ...play];
    // What was answered to the last command is over with the next move.
    if (!goesOn) return;
    this.answered = { text: '' };
    this.noticed = '';
  }

  /** What concerns only this person: what waits for him or of his, and the opponent who left. */
  private tellOwn(before: AccessibleGame, table: AccessibleGame): string[] {
    const told: string[] = [];
    const { game, premove, confirming, choosing, underway, telling } = table;
    const over = game.status === 'over';
    if (this.declined !== '') told.push(this.declined);
    this.declined = '';
    const lapsed = before.premove !== null && premove === null && underway === null && choosing.length === 0;
    if (lapsed && !over && !this.cancelled) {
      told.push(say('ahead.lapsed', { move: tellUci(before.premove!, before.game.position, telling) }));
    }
    this.cancelled = false;
    if (confirming !== null && confirming !== before.confirming) told.push(say('command.confirm', { move: tellUci(confirming, game.position, telling) }));
    if (choosing.length > 0 && before.choosing.length === 0 && !this.dropping) told.push(tellChoice(table));
    if (over) this.absence.clear();
    const away = over ? null : this.absence.notice(table.away_ms);
    if (away !== null) told.push(away);
    return told;
  }

  /** Clocks told in words go by the second. */
  private tick(): void {
    if (!this.table?.game.clock?.run || this.table.game.status === 'over') return;
    this.tellTimeLeft(this.table);
    if (this.actions.settings().textMode) this.actions.changed();
  }

  private tellTimeLeft(table: AccessibleGame): void {
    const me = table.own.length === 1 ? table.own[0]! : null;
    const ms = me === null || table.game.clock?.run !== me ? null : table.left_ms(me);
    if (ms === null) return;
    const below = TELL_BELOW_MS.filter((mark) => mark < ms).length;
    // Not at the first look: who opens the page late has it on the clock.
    if (this.below !== null && below < this.below) {
      const text = say('told.time-left', { time: tellTime(ms) });
      this.noticed = fresh(text, this.noticed);
      this.announce([{ text }]);
    }
    this.below = below;
  }

  /** Answer what was typed or pressed. The same words again are heard again. */
  private answer(text: string, lang?: Utterance['lang']): void {
    const told = lang === undefined ? { text } : { text, lang };
    this.answered = { ...told, text: fresh(text, this.answered.text) };
    if (text !== '') this.announce([told]);
    this.actions.changed();
  }

  private announce(told: readonly Utterance[]): void {
    if (this.actions.settings().textMode) return;
    const line = document.createElement('p');
    render(sentences(told), line);
    this.liveRegion.append(line);
    while (this.liveRegion.childElementCount > KEPT_LINES) this.liveRegion.firstElementChild?.remove();
  }

  private toEntry(): void {
    document.getElementById(ENTRY)?.focus();
  }

  /** Beside the board to where keys go through the moves; in text mode there is no better place. */
  private leave(): void {
    if (!this.actions.settings().textMode) document.getElementById('page')?.focus({ preventScroll: true });
  }

  private toHelp(): void {
    if (!this.actions.settings().textMode) this.answer(say('help.all'));
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

const tellChoice = ({ kind, choosing }: AccessibleGame): string =>
  kind.hasLines ? say('text.promote-ask') : say('text.way-ask', { moves: choosing.join(', ') });

/** The same words again are told again: a region speaks when it changes. */
const fresh = (text: string, before: string): string => (text !== '' && text === before ? `${text}\u00a0` : text);

/** Several sentences, with a pause between. */
const inOneGo = (told: readonly string[]): string =>
  sentencesOf(told.map((text) => ({ text }))).map(({ text }) => text).join(' ');
