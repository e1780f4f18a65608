/** Form to import games: pasted or from a file, with progress and errors. */

import '../styles/imports.css';
import '../styles/people.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { Refused, type Imported, type ImportRoom } from '../net/protocol';
import { day } from '../words/dates';
import { refusal, say } from '../words/words';
import { LONGEST_NAME, MOST_BYTES } from './limits';
import { size } from './size';
import { Upload } from './upload';

/** The server may need this long to notice that an import was stopped before it accepts another. */
const MOST_TRIES = 10;
const AGAIN_MS = 500;

export class ImportForm {
  private upload: Upload | null = null;
  private fault: string | null = null;
  private done: Imported | null = null;
  private stopped = false;
  /** An import was stopped here before. */
  private halted = false;
  private closed = false;

  /** `brought` is called when games were added. */
  constructor(
    private readonly app: App,
    private readonly brought: () => void,
  ) {}

  close(): void {
    this.closed = true;
    this.upload?.stop();
  }

  /** `left`: the remaining quota, if known. */
  draw(left: ImportRoom | null): TemplateResult {
    const busy = this.upload !== null;
    const full = left !== null && (left.imports === 0 || left.games === 0 || left.bytes === 0);
    return html`<section class="card" aria-labelledby="bring">
      <h2 id="bring">${say('import.form')}</h2>
      <form class="form import-form" data-testid="import-form" aria-busy=${String(busy)} @submit=${(event: SubmitEvent) => this.submit(event)}>
        <div class="form-row">
          <label for="pgn-text">${say('import.text')}</label>
          <textarea id="pgn-text" name="text" rows="6" spellcheck="false" autocapitalize="off" ?disabled=${busy}></textarea>
        </div>
        <div class="form-row">
          <label for="pgn-file">${say('import.file')}</label>
          <input id="pgn-file" name="file" type="file" accept=".pgn,.txt,application/vnd.chess-pgn,text/plain" ?disabled=${busy} />
        </div>
        <div class="form-row">
          <label for="pgn-name">${say('import.name')}</label>
          <input id="pgn-name" name="name" type="text" maxlength=${LONGEST_NAME} autocomplete="off" ?disabled=${busy} />
        </div>
        ${this.fault === null ? nothing : html`<p class="fault" role="alert" data-testid="import-fault">${this.fault}</p>`}
        ${this.upload === null
          ? html`<div class="buttons"><button class="main" data-testid="import-go" ?disabled=${full}>${say('import.go')}</button></div>`
          : this.progress(this.upload)}
      </form>
      ${this.stopped ? html`<p role="status">${say('import.stopped')}</p>` : nothing}
      ${this.done === null ? nothing : outcome(this.done)}
    </section>`;
  }

  private progress({ sent, total }: Upload): TemplateResult {
    const all = sent >= total;
    return html`<div data-testid="import-progress">
      <progress max=${total} .value=${sent} aria-label=${say('import.progress')}></progress>
      <p role="status">${all ? say('import.reading') : say('import.sent', { sent: size(sent), total: size(total) })}</p>
      <p class="hint">${say('import.stay')}</p>
      <div class="buttons"><button type="button" data-testid="import-stop" @click=${() => this.stop()}>${say('import.stop')}</button></div>
    </div>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    if (this.upload !== null) return;
    const form = event.target as HTMLFormElement;
    const values = new FormData(form);
    const [file, text, name] = [values.get('file'), values.get('text'), values.get('name')];
    const chosen = file instanceof File && file.size > 0 ? file : null;
    const body = chosen ?? new Blob([typeof text === 'string' ? text.trim() : '']);
    const called = typeof name === 'string' && name.trim() !== '' ? name.trim() : nameOf(chosen);
    this.done = null;
    this.stopped = false;
    this.fault = faultOf(body);
    if (this.fault === null) void this.send(form, body, called);
    this.app.changed();
  }

  private async send(form: HTMLFormElement, body: Blob, name: string): Promise<void> {
    try {
      const done = await this.uploaded(body, name);
      if (this.closed) return;
      this.done = done;
      form.reset();
      this.brought();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!this.stopped) this.fault = refusal(error);
    } finally {
      this.upload = null;
      this.app.changed();
    }
  }

  private async uploaded(body: Blob, name: string): Promise<Imported> {
    for (let tries = 1; ; tries += 1) {
      const upload = (this.upload = new Upload(body, name, () => this.app.changed()));
      this.app.changed();
      try {
        return await upload.answer;
      } catch (error) {
        const busy = error instanceof Refused && error.code === 'rate_limited';
        if (!busy || !this.halted || tries === MOST_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        if (this.stopped || this.closed) throw error;
      }
    }
  }

  private stop(): void {
    this.stopped = this.halted = true;
    this.upload?.stop();
  }
}

/** The default name: the file's, or the day. */
function nameOf(file: File | null): string {
  const name = file?.name.replace(/\.(pgn|txt)$/i, '').trim() ?? '';
  return (name === '' ? say('import.name.default', { date: day(Date.now()) }) : name).slice(0, LONGEST_NAME);
}

function faultOf(body: Blob): string | null {
  if (body.size === 0) return say('import.nothing');
  if (body.size <= MOST_BYTES) return null;
  return say('import.too-long', { size: size(body.size), most: size(MOST_BYTES) });
}

/** The result, with errors by their place in the text. */
function outcome({ import: id, games, refused, more_refused }: Imported): TemplateResult {
  return html`<div data-testid="import-done">
    <p role="status">${id === null ? say('import.done.none') : say('import.done', { n: games })}</p>
    ${id === null ? nothing : html`<a class="button main" href="/import/${id}" data-page data-testid="import-look">${say('import.look')}</a>`}
    ${refused.length === 0
      ? nothing
      : html`<p>${say('import.refused', { n: refused.length + more_refused })}</p>
          <ul class="refused" data-testid="import-refused">
            ${refused.map(
              ({ game, line, column, message }) => html`<li>${say('import.refused.at', { game, line, column, why: message })}</li>`,
            )}
            ${more_refused === 0 ? nothing : html`<li>${say('import.refused.more', { n: more_refused })}</li>`}
          </ul>`}
  </div>`;
}
