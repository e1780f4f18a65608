/**
 * Accessibility layer of a game: the board as a grid, typed moves and commands, announcements for screen readers and,
 * as an option, speech synthesis. In text mode it is the whole page.
 *
 * The page calls `show` on each draw and places the parts.
 */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { GameMessage, GameSnapshot } from '../net/protocol';
import { forSpeech, type Utterance } from '../notation/tell-move';
import { hintText } from '../state/hints';
import { abilitiesOf } from '../variants/registry';
import { isKey, say } from '../words/words';
import { AbsenceNotices } from './absence-notices';
import type { AccessibleGame, GameActions } from './accessible-game';
import { FirstMoveNotices } from './first-move-notices';
import { FocusKeeper } from './focus-keeper';
import { MoveEntry } from './move-entry';
import { sentences, sentencesOf } from './sentences';
import { Speech } from './speech';
import { SquareGrid } from './square-grid';
import { tellLast, tellNewOffers, tellPlay, tellStanding, tellTime, tellUci } from './tell';
import { gameTitle, textPage } from './text-page';

/** The player's own clock is announced when it falls below each of these. */
const TELL_BELOW_MS = [60_000, 30_000, 10_000];
/** Some screen readers read a longer live region again from its beginning. */
const KEPT_LINES = 4;
const ENTRY = 'entry';
const BEAT_MS = 1_000;

type Part = TemplateResult | typeof nothing;

export interface AccessActions extends GameActions {
  textMode(on: boolean): void;
  /** Show `text` beside the board for a moment. */
  notice(text: string): void;
  changed(): void;
}

export class AccessLayer {
  readonly grid: SquareGrid;
  private readonly entry: MoveEntry;
  private readonly speech = new Speech();
  private readonly focus = new FocusKeeper();
  private readonly absence = new AbsenceNotices();
  private readonly firstMove = new FirstMoveNotices();
  /** The live region, visually hidden. Text mode shows its own. */
  private readonly liveRegion = document.createElement('div');
  private table: AccessibleGame | null = null;
  private told: readonly Utterance[] = [];
  private answered: Utterance = { text: '' };
  private noticed = '';
  /** What has become of an offer. */
  private ofOffer = '';
  /** The player cancelled the premove and has been told; it needs no announcement. */
  private cancelled = false;
  private below: number | null = null;
  private wasText = false;
  /** A move was made from here. If a choice of promotion follows, it gets the focus. */
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
    this.grid = new SquareGrid({ ...own, hint: () => this.hint() }, (text, lang) => this.answer(text, lang), () => this.toEntry());
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

  /** Take the current game, before it is drawn. */
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

  /** Take a message about the game, before it is drawn. `news`: what a player is told of it. */
  take(message: GameMessage, news: string | null): void {
    if (message.t === 'offer' && message.do === 'decline') {
      const key: string = `offer.${message.what}`;
      if (isKey(key)) this.ofOffer = news || say('offer.refused', { what: say(key as 'offer.draw') });
    } else if ((message.t === 'move' || message.t === 'takeback') && news) this.ofOffer = news;
  }

  /** Ask for a hint, or tell why there is none. */
  hint(): void {
    this.entry.command('hint');
  }

  /** Tell news about the game that is no move and no offer. */
  notice(text: string): void {
    this.noticed = fresh(text, this.noticed);
    this.announce([{ text }]);
    if (this.actions.settings().speech) this.speech.say([{ text }]);
    this.actions.changed();
  }

  /** Tell screen readers `text`. */
  tell(text: string): void {
    this.announce([{ text }]);
  }

  /** The grid over the visual board, and the live region. */
  overlay(): TemplateResult {
    return html`${this.grid.element}${this.liveRegion}`;
  }

  /**
   * The game's title and the switch to text mode, visually hidden, first in the tab order. `part`: the page has its own
   * title.
   */
  heading(part: boolean): TemplateResult {
    const title = this.table === null ? nothing : gameTitle(this.table.game);
    const spoken = this.table !== null && abilitiesOf(this.table.game.variant).textMode;
    return html`${part ? html`<h2 class="unseen">${title}</h2>` : html`<h1 class="unseen">${title}</h1>`}
      ${spoken ? html`<button class="door" data-testid="text-mode" @click=${() => this.turn(true)}>${say('text.on')}</button>` : nothing}`;
  }

  /** The input beside the visual board. */
  input(): TemplateResult {
    // Folded until it is used: the style sheet shows this label in its place.
    return html`<div class="typing">
      <label class="button plain" for=${ENTRY} aria-hidden="true" data-testid="entry-open">${say('entry.open')}</label>
      ${this.entry.draw(ENTRY, true)}
      <p class="answer" data-testid="answer">${sentences([this.answered])}</p>
    </div>`;
  }

  /** The whole page in text mode. `asked`: a move that waits for confirmation. */
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

  /** Move the focus to the choice of a piece or capture; `comeBack` returns it. */
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
    // The end is announced with the move that caused it.
    this.told = goesOn ? play : [...(this.told.length > 0 ? this.told : [tellLast(before, telling)]), ...play];
    // The next move ends what was answered to the last command.
    if (!goesOn) return;
    this.answered = { text: '' };
    this.noticed = '';
  }

  /** News for this player only: their premove, questions to them, and an absent opponent. */
  private tellOwn(before: AccessibleGame, table: AccessibleGame): string[] {
    const told: string[] = [];
    const { game, premove, confirming, choosing, underway, telling } = table;
    const over = game.status === 'over';
    if (this.ofOffer !== '') told.push(this.ofOffer);
    this.ofOffer = '';
    const lapsed = before.premove !== null && premove === null && underway === null && choosing.length === 0;
    if (lapsed && !over && !this.cancelled) {
      const text = say('ahead.lapsed', { move: tellUci(before.premove!, before.game.position, telling) });
      told.push(text);
      this.actions.notice(text);
    }
    this.cancelled = false;
    if (confirming !== null && confirming !== before.confirming) told.push(say('command.confirm', { move: tellUci(confirming, game.position, telling) }));
    if (choosing.length > 0 && before.choosing.length === 0 && !this.dropping) told.push(tellChoice(table));
    if (table.hint !== null && table.hint !== before.hint) told.push(hintText(table.hint, tellUci(table.hint.move, game.position, telling)));
    if (over) this.absence.clear();
    const away = over ? null : this.absence.notice(table.away_ms);
    if (away !== null) told.push(away);
    const first = this.firstMove.notice(game, table.own, table.first_ms);
    if (first !== null) told.push(first);
    return told;
  }

  /** Clocks in words change once a second. */
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
    // Not on the first look: the clock shows it already.
    if (this.below !== null && below < this.below) {
      const text = say('told.time-left', { time: tellTime(ms) });
      this.noticed = fresh(text, this.noticed);
      this.announce([{ text }]);
    }
    this.below = below;
  }

  /** Answer a command or a key. The same answer is announced again. */
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

  /** Leave the input for the page, whose keys step through the moves. Text mode has no better place. */
  private leave(): void {
    if (!this.actions.settings().textMode) document.getElementById('page')?.focus({ preventScroll: true });
  }

  private toHelp(): void {
    if (!this.actions.settings().textMode) this.answer(say('help.all'));
    else document.getElementById('commands')?.focus();
  }

  /** Enter goes to the input if nothing else has the focus. */
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

/** A live region speaks only when its text changes, so a repeated text gets a no-break space. */
const fresh = (text: string, before: string): string => (text !== '' && text === before ? `${text}\u00a0` : text);

/** Several sentences as one text. */
const inOneGo = (told: readonly string[]): string =>
  sentencesOf(told.map((text) => ({ text }))).map(({ text }) => text).join(' ');
