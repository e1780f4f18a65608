/** Names that begin with what is typed in a field, as the `datalist` of the field. */

import { html, type TemplateResult } from 'lit-html';
import type { SearchResult } from '../net/protocol';

/** A username, as far as it is typed. */
export const NAME = /^[0-9A-Za-z][0-9A-Za-z_-]*$/;
/** Pause in typing after which names are loaded. */
const PAUSE_MS = 250;
/** If the server is asked too often, and does not say for how long to wait. */
const REST_MS = 10_000;

export class NameSuggestions {
  private names: readonly string[] = [];
  /** Number of the current request; older answers are ignored. */
  private asked = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private restUntil = 0;

  /** `id`: of the `datalist`, unique on the page; `changed`: other names have arrived. */
  constructor(
    readonly id: string,
    private readonly changed: () => void,
  ) {}

  close(): void {
    clearTimeout(this.pause);
    this.asked += 1;
  }

  /** `text`: what the field holds now. */
  typed(text: string): void {
    clearTimeout(this.pause);
    const asked = ++this.asked;
    const q = text.trim();
    // A chosen name needs no others.
    if (NAME.test(q) && !this.names.includes(q)) this.pause = setTimeout(() => void this.load(q, asked), PAUSE_MS);
  }

  /** Its place is beside the field, whose `list` is `id`. */
  draw(): TemplateResult {
    return html`<datalist id=${this.id}>${this.names.map((name) => html`<option value=${name}></option>`)}</datalist>`;
  }

  private async load(q: string, asked: number): Promise<void> {
    if (Date.now() < this.restUntil) return;
    try {
      const answer = await fetch(`/api/v1/search?q=${encodeURIComponent(q)}`);
      if (answer.status === 429) this.restUntil = Date.now() + (Number(answer.headers.get('Retry-After')) * 1_000 || REST_MS);
      if (!answer.ok || asked !== this.asked) return;
      const { users } = (await answer.json()) as SearchResult;
      if (asked !== this.asked) return;
      this.names = users.map(({ name }) => name);
    } catch {
      return; // no network: the name can be typed in full
    }
    this.changed();
  }
}
