/**
 * A form that the server validates. Errors are shown at their field, which gets the focus; others above the button.
 * Values are only in the inputs: no password is kept.
 */

import '../styles/people.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { Refused } from '../net/protocol';
import { say, sentence } from '../words/words';

interface Field {
  name: string;
  label: string;
  hint?: string;
  autocomplete?: AutoFill;
}

interface TextField extends Field {
  type?: 'text' | 'email' | 'number' | 'date' | 'search';
  value?: string;
  required?: boolean;
  most?: number;
  least?: number;
}

interface SecretField extends Field {
  /** Length of a new password. */
  least?: number;
  most?: number;
}

/** Field names in refusals: `bad_message` says `text: expected …`. */
const NAMED = /^(\w+): (.+)$/s;

export class Form {
  private busy = false;
  private fault: { field: string | null; text: string } | null = null;
  private readonly bare = new Set<string>();

  /**
   * @param id of the form, and prefix of its fields' ids @param codes the field that an error code is about, if the
   * refusal does not name it
   */
  constructor(
    private readonly id: string,
    private readonly changed: () => void,
    private readonly codes: Readonly<Record<string, string>> = {},
  ) {}

  /** `what` gets the values when the form is sent and may throw `Refused`. Afterwards the form is emptied. */
  draw(
    fields: TemplateResult,
    button: string,
    what: (values: FormData) => Promise<void>,
    { grave = false, more = nothing as TemplateResult | typeof nothing } = {},
  ): TemplateResult {
    // POST, in case the script fails: a password must not be in an address.
    return html`<form
      class="form"
      id=${this.id}
      method="post"
      aria-busy=${String(this.busy)}
      data-testid=${this.id}
      @submit=${(event: SubmitEvent) => void this.send(event, what)}
    >
      ${fields}
      ${this.fault && this.fault.field === null
        ? html`<p class="fault" role="alert" data-testid="fault">${this.fault.text}</p>`
        : nothing}
      <div class="buttons">
        <button class=${grave ? 'grave' : 'main'} aria-disabled=${String(this.busy)}>
          ${this.busy ? say('form.busy') : button}</button
        >${more}
      </div>
    </form>`;
  }

  text(field: TextField): TemplateResult {
    const { name, type = 'text', most } = field;
    return this.field(
      field,
      html`<input
        id=${this.idOf(name)}
        name=${name}
        type=${type}
        .defaultValue=${field.value ?? ''}
        ?required=${field.required ?? true}
        maxlength=${ifDefined(type === 'number' ? undefined : most)}
        min=${ifDefined(type === 'number' ? field.least : undefined)}
        max=${ifDefined(type === 'number' ? most : undefined)}
        autocomplete=${field.autocomplete ?? 'off'}
        autocapitalize="none"
        spellcheck="false"
        aria-invalid=${this.isWrong(name)}
        aria-describedby=${this.idOf(name, 'about')}
        @input=${() => this.mended(name)}
      />`,
    );
  }

  /** A password with a button to show it. */
  secret(field: SecretField): TemplateResult {
    const { name } = field;
    const shown = this.bare.has(name);
    const id = this.idOf(name);
    return this.field(
      field,
      html`<div class="link">
        <input
          id=${id}
          name=${name}
          type=${shown ? 'text' : 'password'}
          required
          minlength=${ifDefined(field.least)}
          maxlength=${ifDefined(field.most)}
          autocomplete=${field.autocomplete ?? 'current-password'}
          autocapitalize="none"
          spellcheck="false"
          aria-invalid=${this.isWrong(name)}
          aria-describedby=${this.idOf(name, 'about')}
          @input=${() => this.mended(name)}
        />
        <button
          type="button"
          class="reveal"
          aria-controls=${id}
          aria-pressed=${String(shown)}
          aria-label=${say('form.show.long', { field: field.label })}
          @click=${() => this.reveal(name, !shown)}
        >
          ${say('form.show')}
        </button>
      </div>`,
    );
  }

  area(field: TextField): TemplateResult {
    const { name } = field;
    return this.field(
      field,
      html`<textarea
        id=${this.idOf(name)}
        name=${name}
        rows="4"
        .defaultValue=${field.value ?? ''}
        ?required=${field.required ?? true}
        maxlength=${ifDefined(field.most)}
        aria-invalid=${this.isWrong(name)}
        aria-describedby=${this.idOf(name, 'about')}
        @input=${() => this.mended(name)}
      ></textarea>`,
    );
  }

  /** If the first option is empty, another one must be chosen. */
  select(field: Field, options: readonly (readonly [value: string, name: string])[], value = ''): TemplateResult {
    const { name } = field;
    return this.field(
      field,
      html`<select
        id=${this.idOf(name)}
        name=${name}
        ?required=${options[0]?.[0] === ''}
        aria-invalid=${this.isWrong(name)}
        aria-describedby=${this.idOf(name, 'about')}
        @change=${() => this.mended(name)}
      >
        ${options.map(([of, text]) => html`<option value=${of} ?selected=${of === value}>${text}</option>`)}
      </select>`,
    );
  }

  /** The error at a field that is drawn elsewhere. */
  faultOf(name: string): string | null {
    return this.fault?.field === name ? this.fault.text : null;
  }

  private field({ name, label, hint }: Field, input: TemplateResult): TemplateResult {
    const fault = this.faultOf(name);
    return html`<div class="form-row">
      <label for=${this.idOf(name)}>${label}</label>
      ${input}
      <p class=${fault === null ? 'hint' : 'fault'} id=${this.idOf(name, 'about')} data-field=${name} ?hidden=${!fault && !hint}>
        ${fault ?? hint}
      </p>
    </div>`;
  }

  private async send(event: SubmitEvent, what: (values: FormData) => Promise<void>): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const form = event.target as HTMLFormElement;
    const values = new FormData(form);
    // Password managers look for a field of type password.
    this.bare.clear();
    this.busy = true;
    this.fault = null;
    this.changed();
    try {
      await what(values);
      form.reset();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused(form, error);
    } finally {
      this.busy = false;
      this.changed();
    }
  }

  private refused(form: HTMLFormElement, error: Refused): void {
    const [, named = '', rest = ''] = (error.code === 'bad_message' && NAMED.exec(error.message)) || [];
    const wanted = error.field ?? (named || this.codes[error.code] || null);
    const input = wanted === null ? null : form.elements.namedItem(wanted);
    const found = input !== null && wanted !== null && !(input instanceof HTMLInputElement && input.type === 'hidden');
    this.fault = { field: found ? wanted : null, text: sentence(found && named ? rest : error.message) };
    // After drawing, so that the error is read with the field.
    if (found && input instanceof HTMLElement) setTimeout(() => input.focus());
  }

  private isWrong(name: string): 'true' | typeof nothing {
    return this.fault?.field === name ? 'true' : nothing;
  }

  /** The field with the error is being changed. */
  private mended(name: string): void {
    if (this.fault?.field !== name) return;
    this.fault = null;
    this.changed();
  }

  private reveal(name: string, shown: boolean): void {
    if (shown) this.bare.add(name);
    else this.bare.delete(name);
    this.changed();
  }

  private idOf(name: string, part = ''): string {
    return [this.id, name, part].filter(Boolean).join('-');
  }
}

/** The text of a field; empty if there is none. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
