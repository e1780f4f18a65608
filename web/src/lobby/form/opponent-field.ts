/** The opponent: a person by name, with suggestions, or anyone within a rating range. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { LIMITS, type SearchResult } from '../../net/protocol';
import { say, type PlainKey } from '../../words/words';
import type { Range } from './remembered';

export const NAME = /^[0-9A-Za-z][0-9A-Za-z_-]*$/;
/** Pause in typing after which suggestions are loaded. */
const PAUSE_MS = 250;
/** Includes names of guests. */
const LONGEST = 32;
const HIGHEST = 4_000;

export class OpponentField {
  private name: string;
  /** Fields whose text is not a number; the range keeps their last value. */
  private readonly bad = new Set<keyof Range>();
  /** Why the server refuses to invite that name. */
  private refused: string | null = null;
  private names: readonly string[] = [];
  /** Number of the current request; older answers are ignored. */
  private asked = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** `name`: the invited person; `range`: changed as it is typed; `drawn`: suggestions have arrived. */
  constructor(
    name: string | null,
    private readonly range: Range,
    private readonly edited: () => void,
    private readonly drawn: () => void = edited,
  ) {
    this.name = name ?? '';
  }

  close(): void {
    clearTimeout(this.pause);
    this.asked += 1;
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
  fault(me: string | undefined): PlainKey | null {
    const to = this.to();
    if (to !== null) {
      if (to.toLowerCase() === me?.toLowerCase()) return 'create.fault.self';
      return NAME.test(to) && to.length >= LIMITS.nameFrom ? null : 'create.fault.name';
    }
    const { min_rating: min, max_rating: max } = this.bounds();
    if (this.bad.size > 0) return 'create.fault.range';
    const wrong = [min, max].some((n) => n !== null && !(Number.isInteger(n) && n >= 0 && n <= HIGHEST));
    return wrong || (min ?? 0) > (max ?? HIGHEST) ? 'create.fault.range' : null;
  }

  /** Show at the field why this name cannot be invited, until another is typed. */
  refuse(why: string): void {
    this.refused = why;
    this.edited();
    this.focus();
  }

  focus(): void {
    document.querySelector<HTMLInputElement>('[data-testid=to]')?.focus();
  }

  /** Guests have names of their own. */
  isGuest(): boolean {
    return /^guest-/i.test(this.to() ?? '');
  }

  draw(): TemplateResult {
    const wrong = this.refused !== null;
    return html`<fieldset>
      <legend class="unseen">${say('create.opponent')}</legend>
      <div class="opponent">
        <label class="opponent-name"
          >${say('create.opponent.name')}
          <input
            type="text"
            list="people"
            data-testid="to"
            maxlength=${LONGEST}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-invalid=${wrong ? 'true' : nothing}
            aria-describedby=${wrong ? 'to-fault' : nothing}
            .value=${this.name}
            @input=${(event: Event) => this.typed((event.target as HTMLInputElement).value)}
        /></label>
        <datalist id="people">${this.names.map((name) => html`<option value=${name}></option>`)}</datalist>
        ${wrong ? html`<p class="fault" role="alert" id="to-fault" data-testid="to-fault">${this.refused}</p>` : nothing}
        ${this.to() === null
          ? html`${this.bound('min', say('create.opponent.from'))} ${this.bound('max', say('create.opponent.to'))}`
          : nothing}
      </div>
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
    clearTimeout(this.pause);
    const asked = ++this.asked;
    const q = name.trim();
    if (NAME.test(q) && !this.names.includes(q)) this.pause = setTimeout(() => void this.suggest(q, asked), PAUSE_MS);
    this.edited();
  }

  private async suggest(q: string, asked: number): Promise<void> {
    try {
      const answer = await fetch(`/api/v1/search?q=${encodeURIComponent(q)}`);
      if (!answer.ok || asked !== this.asked) return;
      this.names = ((await answer.json()) as SearchResult).users.map((user) => user.name);
    } catch {
      return; // no network: the name can be typed in full
    }
    // An error found meanwhile still stands.
    if (asked === this.asked) this.drawn();
  }
}

const bound = (text: string): number | null => (text.trim() === '' ? null : Number(text));
