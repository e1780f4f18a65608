/** The input for moves and commands. */

import { html, type TemplateResult } from 'lit-html';
import type { Utterance } from '../notation/tell-move';
import { say } from '../words/words';
import type { AccessibleGame, GameActions } from './accessible-game';
import type { Answer } from './answer';
import { answer } from './commands';
import { moverOf, tellUci } from './tell';
import { tellUsed } from './time-used';

export interface EntryActions {
  tell(text: string, lang?: Utterance['lang']): void;
  toBoard(square?: string): void;
  toHelp(): void;
  /** Leave the input. */
  leave(): void;
}

export class MoveEntry {
  private confirming: Answer['confirm'];
  private table: AccessibleGame | null = null;
  /** The input in which something was typed before the legal moves were known. */
  private early: HTMLInputElement | null = null;
  /** It was submitted with Enter. */
  private entered = false;

  constructor(
    private readonly game: GameActions,
    private readonly actions: EntryActions,
  ) {}

  show(table: AccessibleGame): void {
    this.table = table;
    const { early } = this;
    if (early === null || !table.legal) return;
    this.early = null;
    queueMicrotask(() => (this.entered ? this.read(early) : this.typed(early)));
  }

  /** With `eager` a move is played as soon as no longer one could be meant. */
  draw(id: string, eager: boolean): TemplateResult {
    return html`<form class="entry" @submit=${(event: Event) => this.submitted(event)}>
      <label for=${id}>${say('entry.label')}</label>
      <input
        id=${id}
        type="text"
        data-testid="entry"
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        spellcheck="false"
        enterkeyhint="go"
        placeholder=${this.hint()}
        @keydown=${(event: KeyboardEvent) => this.pressed(event, eager)}
        @input=${(event: InputEvent) => eager && this.typed(event.target as HTMLInputElement)}
      />
      <button data-testid="entry-play">${say('entry.play')}</button>
    </form>`;
  }

  private hint(): string {
    const kind = this.table?.kind;
    return kind === undefined || kind.hasLines ? say('entry.hint') : say('entry.hint.squares', { move: kind.example });
  }

  private pressed(event: KeyboardEvent, besideBoard: boolean): void {
    const input = event.target as HTMLInputElement;
    // The page's keys do not apply while something is typed; in an empty input they step through the moves.
    if (besideBoard && input.value === '' && event.key !== 'Escape') return;
    event.stopPropagation();
    if (event.key === 'Escape') this.escape(input);
  }

  /** Clear one thing: the text, what waits, the focus. */
  private escape(input: HTMLInputElement): void {
    const { table } = this;
    const waits = table !== null && (table.premove ?? table.confirming ?? table.choosing[0]) !== undefined;
    if (input.value !== '') {
      input.value = '';
      this.early = null;
    } else if (waits) this.command('cancel');
    else this.actions.leave();
  }

  private typed(input: HTMLInputElement): void {
    const { table } = this;
    this.early = table?.legal ? null : input;
    this.entered = false;
    if (table?.legal && table.kind.isComplete(input.value.trim(), table.legal, table.game, this.game.settings().letters)) this.read(input);
  }

  private submitted(event: Event): void {
    event.preventDefault();
    const input = (event.target as HTMLElement).querySelector('input');
    if (input) this.read(input);
  }

  /** Do what `input` says, and empty it. A text that was not understood stays, to be corrected. */
  private read(input: HTMLInputElement): void {
    this.early = null;
    const found = this.answered(input.value);
    if (found?.wait) {
      this.early = input;
      this.entered = true;
    } else if (found && found.fault !== true) input.value = '';
    else input.select();
  }

  /** Do what `text` says. */
  command(text: string): void {
    this.answered(text);
  }

  private answered(text: string): Answer | null {
    if (this.table === null) return null;
    const found = answer(text, this.table, { settings: this.game.settings(), confirming: this.confirming });
    this.confirming = found.confirm;
    return found.wait ? found : { ...found, ...this.follow(found) };
  }

  /** What the answer could not know. */
  private follow(found: Answer): Pick<Answer, 'fault'> {
    const { play, promote, draw, send, ahead, choose, yes, go, look } = found;
    this.actions.tell(found.tell ?? '', found.lang);
    if (send) this.game.send(send);
    if (promote) this.game.drop(promote, draw);
    else if (play !== undefined) this.game.drop([play], draw);
    if (ahead !== undefined) return this.moveAhead(ahead);
    if (choose !== undefined) this.game.choose(choose);
    if (yes !== undefined) this.game.confirm(yes);
    if (look !== undefined) this.game.look(look);
    if (found.flip) this.game.flip();
    if (found.hint) this.game.hint();
    if (found.used) void this.tellUsed();
    if (go === 'board') this.actions.toBoard(found.square);
    if (go === 'help') this.actions.toHelp();
    if (go === 'new') this.game.again();
    if (go === 'rematch') this.game.rematch();
    return {};
  }

  /** The server is asked; the person may have gone to another game meanwhile. */
  private async tellUsed(): Promise<void> {
    const game = this.table?.game;
    if (game === undefined) return;
    const told = await tellUsed(game, moverOf(game, 0));
    if (this.table?.game.g === game.g) this.actions.tell(told);
  }

  private moveAhead(move: string | null): Pick<Answer, 'fault'> {
    const position = this.table?.premoveOptions()?.position ?? '';
    const telling = this.game.settings();
    const done = this.game.setPremove(move);
    if (move === null) this.actions.tell(say('ahead.off-again'));
    else this.actions.tell(done ? say('ahead.set', { move: tellUci(move, position, telling) }) : say('entry.not-yours'));
    return done ? {} : { fault: true };
  }
}
