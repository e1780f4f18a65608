/** One input for moves and commands, with what it was told last. */

import { html, type TemplateResult } from 'lit-html';
import type { Told } from '../notation/tell-move';
import { say } from '../words/words';
import type { Answer } from './answer';
import { answer } from './commands';
import type { Hands, Table } from './table';
import { moverOf, tellUci } from './tell';
import { tellUsed } from './time-used';

export interface EntryWays {
  tell(text: string, lang?: Told['lang']): void;
  toBoard(square?: string): void;
  toHelp(): void;
  /** Out of the input, to where keys mean something else. */
  leave(): void;
}

export class Entry {
  private confirming: Answer['confirm'];
  private table: Table | null = null;
  /** Where something was typed before the legal moves were told. */
  private early: HTMLInputElement | null = null;
  /** It was finished with Enter. */
  private entered = false;

  constructor(
    private readonly hands: Hands,
    private readonly ways: EntryWays,
  ) {}

  show(table: Table): void {
    this.table = table;
    const { early } = this;
    if (early === null || !table.legal) return;
    this.early = null;
    queueMicrotask(() => (this.entered ? this.read(early) : this.typed(early)));
  }

  /** With `eager` a move is played as soon as it can mean nothing else. */
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
    return kind === undefined || kind.scans ? say('entry.hint') : say('entry.hint.squares', { move: kind.example });
  }

  private pressed(event: KeyboardEvent, besideBoard: boolean): void {
    const input = event.target as HTMLInputElement;
    // The page's own keys are not meant while somebody writes; before that they go through the moves.
    if (besideBoard && input.value === '' && event.key !== 'Escape') return;
    event.stopPropagation();
    if (event.key === 'Escape') this.escape(input);
  }

  /** One thing at a time: what is written, what waits for something, the input itself. */
  private escape(input: HTMLInputElement): void {
    const { table } = this;
    const waits = table !== null && (table.premove ?? table.asking ?? table.choosing[0]) !== undefined;
    if (input.value !== '') {
      input.value = '';
      this.early = null;
    } else if (waits) this.command('cancel');
    else this.ways.leave();
  }

  private typed(input: HTMLInputElement): void {
    const { table } = this;
    this.early = table?.legal ? null : input;
    this.entered = false;
    if (table?.legal && table.kind.isWhole(input.value.trim(), table.legal, table.game, this.hands.settings().letters)) this.read(input);
  }

  private submitted(event: Event): void {
    event.preventDefault();
    const input = (event.target as HTMLElement).querySelector('input');
    if (input) this.read(input);
  }

  /** Do what is written in `input`, and empty it unless it was not understood: then it can be put right. */
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
    const found = answer(text, this.table, { settings: this.hands.settings(), confirming: this.confirming });
    this.confirming = found.confirm;
    return found.wait ? found : { ...found, ...this.follow(found) };
  }

  /** What came of it that the answer could not know. */
  private follow(found: Answer): Pick<Answer, 'fault'> {
    const { play, promote, draw, send, ahead, choose, yes, go, look } = found;
    this.ways.tell(found.tell ?? '', found.lang);
    if (send) this.hands.send(send);
    if (promote) this.hands.drop(promote, draw);
    else if (play !== undefined) this.hands.drop([play], draw);
    if (ahead !== undefined) return this.moveAhead(ahead);
    if (choose !== undefined) this.hands.choose(choose);
    if (yes !== undefined) this.hands.confirm(yes);
    if (look !== undefined) this.hands.look(look);
    if (found.flip) this.hands.flip();
    if (found.used) void this.tellUsed();
    if (go === 'board') this.ways.toBoard(found.square);
    if (go === 'help') this.ways.toHelp();
    if (go === 'new') this.hands.again();
    if (go === 'rematch') this.hands.rematch();
    return {};
  }

  /** The server is asked; meanwhile the person may have gone on to something else. */
  private async tellUsed(): Promise<void> {
    const game = this.table?.game;
    if (game === undefined) return;
    const told = await tellUsed(game, moverOf(game, 0));
    if (this.table?.game.g === game.g) this.ways.tell(told);
  }

  private moveAhead(move: string | null): Pick<Answer, 'fault'> {
    const position = this.table?.ahead()?.position ?? '';
    const telling = this.hands.settings();
    const done = this.hands.ahead(move);
    if (move === null) this.ways.tell(say('ahead.off-again'));
    else this.ways.tell(done ? say('ahead.set', { move: tellUci(move, position, telling) }) : say('entry.not-yours'));
    return done ? {} : { fault: true };
  }
}
