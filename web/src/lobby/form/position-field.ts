/**
 * Start position: set up on a board, or typed or pasted as FEN. The page validates what it can; the server checks the
 * rest on request, and its refusal is shown here.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import { gameOf } from '../../variants/registry';
import { isKey, nameOf, refusal, say } from '../../words/words';

const LONGEST = 256;

let made = 0;

type Editor = InstanceType<typeof import('../../board/editor/position-editor').PositionEditor>;

export class PositionField {
  on: boolean;
  /** The position that the server refused, and why. */
  private refused: { typed: string; why: string } | null = null;
  /** Loaded when it is needed first; without a connection there is only the text. */
  private editor: Editor | 'loading' | null = null;
  private closed = false;
  /** The editor was asked for and has not been shown yet. */
  private isNew = false;
  /** Of the text field; unique, since the form of a simul may be below the one of a new game. */
  private readonly id = `fen-${(made += 1)}`;

  /** `edited`: the position has changed; `changed`: draw again; `typed`: the position so far, empty for none. */
  constructor(
    private readonly edited: () => void,
    private readonly changed: () => void,
    private typed = '',
  ) {
    this.on = typed !== '';
  }

  /** Ask for a position. */
  open(): void {
    this.on = this.isNew = true;
  }

  close(): void {
    this.closed = true;
    this.loaded()?.close();
  }

  /** For a request; empty for the usual start position. */
  text(): string {
    const typed = this.typed.trim();
    return this.on ? (this.loaded()?.complete(typed) ?? typed) : '';
  }

  /** Whether there is a position that it took some work to make. */
  isSetUp(): boolean {
    const typed = this.typed.trim();
    return this.on && typed !== '' && !this.loaded()?.isPlain(typed);
  }

  /** Why no game can start from the position; null if only the server can tell. */
  fault(variant: string): string | null {
    if (!this.on) return null;
    if (this.typed.trim() === '') return say('create.fault.position');
    return this.loaded()?.faultIn(variant, this.typed) ?? null;
  }

  /** Show why `fen` was refused, while the field has that value. Returns whether it has. */
  refuse(fen: string, why: { message: string }): boolean {
    if (fen !== this.text()) return false;
    this.refused = { typed: this.typed.trim(), why: inWords(why) };
    this.edited();
    document.getElementById(this.id)?.focus();
    return true;
  }

  draw(variant: string): TemplateResult {
    const turn = (event: Event) => {
      this.on = (event.target as HTMLInputElement).checked;
      this.isNew = this.on;
      this.edited();
    };
    return html`<fieldset>
      <label class="box"
        ><input type="checkbox" data-testid="position" .checked=${this.on} @change=${turn} /> ${say('create.position')}</label
      >
      ${this.on ? this.field(variant) : nothing}
    </fieldset>`;
  }

  private field(variant: string): TemplateResult {
    const { game } = gameOf(variant);
    if (this.editor === null) void this.load();
    const set = this.loaded()?.draw({ game, variant }, this.typed) ?? nothing;
    this.reveal();
    const fault = this.typed.trim() === '' ? '' : (this.fault(variant) ?? this.refusedWhy());
    return html`<div class="position">
      ${set}
      <label
        >${nameOf('create.position.of', isKey(`create.position.of.${game}`) ? game : 'any')}
        <input
          type="text"
          id=${this.id}
          data-testid="fen"
          maxlength=${LONGEST}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="${this.id}-fault"
          aria-invalid=${String(fault !== '')}
          .value=${this.typed}
          @input=${(event: Event) => this.set((event.target as HTMLInputElement).value)}
        />
      </label>
      <p id="${this.id}-fault" class="fault" role="status" data-testid="fen-fault">${fault}</p>
    </div>`;
  }

  /** Below what is in view, nobody would find it. */
  private reveal(): void {
    if (!this.isNew || this.loaded() === null) return;
    this.isNew = false;
    // Only the fields scroll: the title of the dialog stays.
    setTimeout(() => {
      const field = document.getElementById(this.id)?.closest('fieldset');
      const fields = field?.closest('.create-fields');
      if (field && fields) fields.scrollTop += field.getBoundingClientRect().top - fields.getBoundingClientRect().top;
    });
  }

  private refusedWhy(): string {
    return this.refused?.typed === this.typed.trim() ? this.refused.why : '';
  }

  private set(text: string): void {
    if (text === this.typed) return;
    this.typed = text;
    this.edited();
  }

  private loaded(): Editor | null {
    return this.editor === 'loading' ? null : this.editor;
  }

  private async load(): Promise<void> {
    this.editor = 'loading';
    const module = await import('../../board/editor/position-editor').catch(() => null);
    if (this.closed) return;
    if (module === null) return void (this.editor = null);
    this.editor = new module.PositionEditor((text) => this.set(text), this.changed);
    this.changed();
  }
}

/** The server's refusal without the position that is in view, and with the page's name of the reason. */
function inWords(why: { message: string }): string {
  const over = /the game is over in .*: (\w+)$/s.exec(why.message)?.[1];
  if (over !== undefined) return say('setup.over', { reason: nameOf('reason', over) });
  const impossible = /no game leads to .*: ([\w ]+)$/s.exec(why.message)?.[1];
  return impossible === undefined ? refusal(why) : say('setup.impossible', { why: impossible });
}
