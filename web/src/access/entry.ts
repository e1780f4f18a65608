/** One input for moves and commands, with what it was told last. */

import { html, type TemplateResult } from 'lit-html';
import { isWhole } from '../notation';
import { say } from '../words';
import { answer, type Answer } from './commands';
import type { Hands, Table } from './table';

export class Entry {
  private confirming: Answer['confirm'];
  private table: Table | null = null;
  /** Where something was typed before the legal moves were told. */
  private early: HTMLInputElement | null = null;

  constructor(
    private readonly hands: Hands,
    private readonly ways: { tell(text: string): void; toBoard(): void; toHelp(): void },
  ) {}

  show(table: Table): void {
    this.table = table;
    const { early } = this;
    if (early === null || !table.legal) return;
    this.early = null;
    queueMicrotask(() => this.typed(early));
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
        placeholder=${say('entry.hint')}
        @keydown=${(event: KeyboardEvent) => this.pressed(event)}
        @input=${(event: InputEvent) => eager && this.typed(event.target as HTMLInputElement)}
      />
      <button data-testid="entry-play">${say('entry.play')}</button>
    </form>`;
  }

  private pressed(event: KeyboardEvent): void {
    // The page's own keys are not meant while somebody writes.
    event.stopPropagation();
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
  }

  private typed(input: HTMLInputElement): void {
    const { table } = this;
    this.early = table?.legal ? null : input;
    if (table?.legal && isWhole(input.value.trim(), table.legal, table.game, this.hands.settings().letters)) this.read(input);
  }

  private submitted(event: Event): void {
    event.preventDefault();
    const input = (event.target as HTMLElement).querySelector('input');
    if (input) this.read(input);
  }

  /** Do what is written in `input`, and empty it unless it was not understood: then it can be put right. */
  private read(input: HTMLInputElement): void {
    if (this.command(input.value)) input.value = '';
    else input.select();
  }

  /** Whether `text` was understood. */
  command(text: string): boolean {
    if (this.table === null) return false;
    const found = answer(text, this.table, { settings: this.hands.settings(), confirming: this.confirming });
    this.confirming = found.confirm;
    this.follow(found);
    return found.fault !== true;
  }

  private follow({ tell, play, promote, send, go }: Answer): void {
    this.ways.tell(tell ?? '');
    if (send) this.hands.send(send);
    if (promote) this.hands.drop(promote);
    else if (play !== undefined) this.hands.drop([play]);
    if (go === 'board') this.ways.toBoard();
    if (go === 'help') this.ways.toHelp();
  }
}
