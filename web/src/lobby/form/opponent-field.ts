/** The opponent: a person by name, with suggestions, or anyone within a rating range. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { LIMITS } from '../../net/protocol';
import { NAME, NameSuggestions } from '../../ui/name-suggestions';
import { say, type PlainKey } from '../../words/words';
import type { Range } from './remembered';

/** Includes names of guests. */
const LONGEST = 32;
const HIGHEST = 4_000;

export class OpponentField {
  private name: string;
  /** Fields whose text is not a number; the range keeps their last value. */
  private readonly bad = new Set<keyof Range>();
  /** Why the server refuses to invite that name. */
  private refused: string | null = null;
  private readonly suggestions: NameSuggestions;

  /** `name`: the invited person; `range`: changed as it is typed; `drawn`: suggestions have arrived. */
  constructor(
    name: string | null,
    private readonly range: Range,
    private readonly edited: () => void,
    drawn: () => void = edited,
  ) {
    this.name = name ?? '';
    // An error found meanwhile still stands.
    this.suggestions = new NameSuggestions('people', drawn);
  }

  close(): void {
    this.suggestions.close();
  }

  /** Null for anyone. */
  to(): string | null {
    return this.name.trim() || null;
  }

  bounds(): { min_rating: number | null; max_rating: number | null } {
    if (this.to() !== null) return { min_rating: null, max_rating: null };
    return { min_rating: bound(this.range.min), max_rating: bound(this.range.max) };
  }

  /** `me`: the person's own name. */
  nameFault(me: string | undefined): PlainKey | null {
    const to = this.to();
    if (to === null) return null;
    if (to.toLowerCase() === me?.toLowerCase()) return 'create.fault.self';
    return NAME.test(to) && to.length >= LIMITS.nameFrom ? null : 'create.fault.name';
  }

  rangeFault(): PlainKey | null {
    const { min_rating: min, max_rating: max } = this.bounds();
    if (this.bad.size > 0) return 'create.fault.range';
    const wrong = [min, max].some((n) => n !== null && !(Number.isInteger(n) && n >= 0 && n <= HIGHEST));
    return wrong || (min ?? 0) > (max ?? HIGHEST) ? 'create.fault.range' : null;
  }

  /** Show at the field why this name cannot be invited, until another is typed. */
  refuse(why: string): void {
    this.refused = why;
    this.edited();
    document.querySelector<HTMLInputElement>('[data-testid=to]')?.focus();
  }

  /** Guests have names of their own. */
  isGuest(): boolean {
    return /^guest-/i.test(this.to() ?? '');
  }

  nameField(): TemplateResult {
    const wrong = this.refused !== null;
    return html`<fieldset>
      <label class="stacked" for="to">${say('create.opponent.name')}</label>
      <input
        id="to"
        type="text"
        list=${this.suggestions.id}
        data-testid="to"
        maxlength=${LONGEST}
        placeholder=${say('create.opponent.hint')}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${wrong ? 'true' : nothing}
        aria-describedby=${wrong ? 'to-fault' : nothing}
        .value=${this.name}
        @input=${(event: Event) => this.typed((event.target as HTMLInputElement).value)}
      />
      ${this.suggestions.draw()} ${wrong ? html`<p class="fault" role="alert" id="to-fault" data-testid="to-fault">${this.refused}</p>` : nothing}
    </fieldset>`;
  }

  rangeFields(): TemplateResult {
    return html`<fieldset>
      <legend class="unseen">${say('create.opponent')}</legend>
      <div class="opponent">${this.bound('min', say('create.opponent.from'))} ${this.bound('max', say('create.opponent.to'))}</div>
    </fieldset>`;
  }

  private bound(end: keyof Range, label: string): TemplateResult {
    const set = (event: Event) => {
      const field = event.target as HTMLInputElement;
      // Text that is not a number is no empty field; it stays, to be corrected.
      if (field.validity.badInput) {
        this.bad.add(end);
      } else {
        this.bad.delete(end);
        this.range[end] = field.value;
      }
      this.edited();
    };
    return html`<label
      >${label}
      <input
        type="number"
        min="0"
        max=${HIGHEST}
        step="50"
        inputmode="numeric"
        data-testid="${end}-rating"
        placeholder=${say('create.opponent.any')}
        .value=${this.range[end]}
        @input=${set}
    /></label>`;
  }

  private typed(name: string): void {
    this.name = name;
    this.refused = null;
    // The range fields are removed, and return with their last valid values.
    if (this.to() !== null) this.bad.clear();
    this.suggestions.typed(name);
    this.edited();
  }
}

const bound = (text: string): number | null => (text.trim() === '' ? null : Number(text));
