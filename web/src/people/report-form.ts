/** Form to report a person to the moderators. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import type { Reported, User } from '../net/protocol';
import { REPORT_KINDS } from '../net/protocol.gen';
import { Form, textOf } from '../ui/form';
import { nameOf, say } from '../words/words';

const MOST_LETTERS = 1000;

export class ReportForm {
  private readonly form: Form;

  /** `game`: the reported game, from the link to the form. */
  constructor(
    private readonly app: App,
    private readonly game: string | null,
    private readonly done: () => void,
    /** The form is at the board of the game, and does not ask for it. */
    private readonly atBoard = false,
  ) {
    this.form = new Form('report', () => app.changed(), { not_found: 'game' });
  }

  draw(user: User): TemplateResult {
    const { form } = this;
    const kinds = [['', say('report.what.choose')] as const, ...REPORT_KINDS.map((kind) => [kind, nameOf('report', kind)] as const)];
    const fields = html`${form.select({ name: 'what', label: say('report.what') }, kinds)}
    ${this.atBoard
      ? html`<input type="hidden" name="game" value=${this.game ?? ''} />`
      : form.text({
          name: 'game',
          label: say('report.game'),
          hint: say('report.game.hint'),
          value: this.game ?? '',
          required: this.app.socket.user?.kind === 'guest',
        })}
    ${form.area({ name: 'text', label: say('report.text'), hint: say('report.text.hint'), most: MOST_LETTERS })}`;
    return html`<section class="card" aria-labelledby="report-title">
      <h2 id="report-title">${say('report.title', { name: user.name })}</h2>
      ${form.draw(fields, say('report.go'), (values) => this.send(user, values), { more: this.cancel() })}
    </section>`;
  }

  private cancel(): TemplateResult | typeof nothing {
    return html`<button type="button" @click=${() => this.done()}>${say('form.cancel')}</button>`;
  }

  private async send(user: User, values: FormData): Promise<void> {
    await call<Reported>('POST', '/api/v1/reports', {
      user: user.name,
      what: textOf(values, 'what'),
      text: textOf(values, 'text').trim(),
      game: gameIn(textOf(values, 'game')),
    });
    this.app.say(say('report.done'));
    this.done();
  }
}

/** The id of a game from its link or id; null if there is none. */
export function gameIn(text: string): string | null {
  const id = /(?:\/game\/)?([0-9A-Za-z]+)\/?(?:[?#].*)?$/.exec(text.trim())?.[1];
  return id ?? null;
}
