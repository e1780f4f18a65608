/** Data loaded by HTTP that a page needs: retried until it arrives. */

import { html, type TemplateResult } from 'lit-html';
import { say } from '../words/words';

/** Timeout of a request. */
const ANSWER_MS = 15_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Status codes that a retry would not change. */
const MISSING = [400, 404];

export class Resource<T> {
  /** The last answer; null before the first. */
  value: T | null = null;
  state: 'loading' | 'there' | 'missing' | 'failed' = 'loading';
  private failures = 0;
  private closed = false;
  /** Number of the current request; older answers are ignored. */
  private asked = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called after every answer. */
  constructor(
    private readonly address: string,
    private readonly changed: () => void,
  ) {
    void this.load();
  }

  /** Load now. The current value stays until the next one arrives. */
  async load(): Promise<void> {
    const n = ++this.asked;
    clearTimeout(this.retry);
    if (this.state === 'failed') {
      this.state = 'loading';
      this.changed();
    }
    const response = await answered(this.address);
    const body = response?.ok ? await bodyOf<T>(response) : null;
    if (this.closed || n !== this.asked) return;
    if (body !== null) {
      this.value = body;
      this.state = 'there';
      this.failures = 0;
    } else if (response && MISSING.includes(response.status)) {
      this.state = 'missing';
    } else {
      this.fail(Number(response?.headers.get('Retry-After') ?? 0) * 1_000);
    }
    this.changed();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
  }

  /** In place of a whole page. */
  drawPage(): TemplateResult {
    if (this.state !== 'failed') return this.draw();
    return html`<section class="card narrow"><h1>${say('broken.title')}</h1>${this.draw()}</section>`;
  }

  /** In place of the content. */
  draw(): TemplateResult {
    if (this.state === 'missing') return html``;
    if (this.state !== 'failed') return html`<p class="empty">${say('app.loading')}</p>`;
    return html`<div class="waits" role="alert" data-testid="failed">
      <p>${say('wanted.failed')}</p>
      <button @click=${() => this.load()}>${say('broken.again')}</button>
    </div>`;
  }

  private fail(told_ms: number): void {
    const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** this.failures++, LONGEST_WAIT_MS);
    // An old value is better than an error.
    this.state = this.value === null ? 'failed' : 'there';
    this.retry = setTimeout(() => void this.load(), Math.max(told_ms || 0, wait_ms));
  }
}

async function answered(address: string): Promise<Response | null> {
  try {
    return await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) });
  } catch {
    return null; // no network, or no answer in time
  }
}

/** Null if the connection broke, or the answer is not JSON. */
async function bodyOf<T>(response: Response): Promise<T | null> {
  try {
    return (await response.json()) as T;
  } catch {
    return null;
  }
}
