/** Filter of an import's games: a text in names and event, and the result. */

import '../styles/imports.css';
import { html, type TemplateResult } from 'lit-html';
import type { Result } from '../net/protocol';
import { resultOf } from '../state/result-text';
import { say } from '../words/words';

const RESULTS: readonly Result[] = ['1-0', '0-1', '1/2-1/2', '*'];
const MOST_LETTERS = 64;

export interface Asked {
  q?: string;
  result?: Result;
}

interface Values {
  get(name: string): unknown;
}

export class GamesFilter {
  asked: Asked = askedOf(new URLSearchParams(location.search));

  /** `ask` is called with the new filter. */
  constructor(private readonly ask: (asked: Asked) => void) {}

  draw(): TemplateResult {
    const { q = '', result = '' } = this.asked;
    return html`<form
      class="filter-line"
      role="search"
      aria-label=${say('import.filter')}
      data-testid="import-filter"
      @submit=${(event: SubmitEvent) => this.submit(event)}
      @change=${(event: Event) => this.apply(event.currentTarget as HTMLFormElement)}
    >
      <label
        >${say('import.filter.q')}
        <input type="search" name="q" maxlength=${MOST_LETTERS} autocomplete="off" spellcheck="false" .defaultValue=${q} />
      </label>
      <label
        >${say('import.filter.result')}
        <select name="result">
          <option value="" ?selected=${result === ''}>${say('import.filter.any')}</option>
          ${RESULTS.map((one) => html`<option value=${one} ?selected=${one === result}>${resultOf({ result: one }) || one}</option>`)}
        </select>
      </label>
      <button class="main">${say('import.filter.go')}</button>
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    this.apply(event.target as HTMLFormElement);
  }

  private apply(form: HTMLFormElement): void {
    const asked = askedOf(new FormData(form));
    if (JSON.stringify(asked) === JSON.stringify(this.asked)) return;
    this.asked = asked;
    this.ask(asked);
  }
}

/** The valid part of `values`. */
export function askedOf(values: Values): Asked {
  const q = values.get('q');
  const result = RESULTS.find((one) => one === values.get('result'));
  const text = typeof q === 'string' ? q.trim().slice(0, MOST_LETTERS) : '';
  return { ...(text === '' ? {} : { q: text }), ...(result === undefined ? {} : { result }) };
}
