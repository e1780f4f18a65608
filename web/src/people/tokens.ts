/** API tokens: a list, and a form for a new one, which is shown once. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../app';
import { call } from '../net/api';
import type { NewToken, Scope, Token } from '../net/protocol';
import { Form, textOf } from '../ui/form';
import { day, moment } from '../words/dates';
import { nameOf, say } from '../words/words';

const ADDRESS = '/api/v1/account/tokens';
const SCOPES: readonly Scope[] = ['read', 'play', 'host', 'arbiter'];
const MOST_DAYS = 365;
const USUAL_DAYS = 90;
const MOST_LETTERS = 60;

export class Tokens {
  private readonly form: Form;
  /** The new token, until the page is closed or the user changes. */
  private made: NewToken | null = null;

  constructor(
    private readonly app: App,
    private readonly changed: () => Promise<void>,
  ) {
    this.form = new Form('token', () => app.changed());
  }

  forget(): void {
    this.made = null;
  }

  draw(tokens: readonly Token[]): TemplateResult {
    const { form, made } = this;
    const wrong = form.faultOf('scopes');
    const fields = html`${form.text({
      name: 'label',
      label: say('tokens.label'),
      hint: say('tokens.label.hint'),
      most: MOST_LETTERS,
    })}
      <fieldset aria-describedby="scopes-about">
        <legend>${say('tokens.scopes')}</legend>
        ${SCOPES.map(
          (scope) =>
            html`<label class="box"
              ><input type="checkbox" name="scopes" value=${scope} ?checked=${scope === 'read' || scope === 'play'} />
              ${nameOf('scope', scope)}</label
            >`,
        )}
        <p class="fault" id="scopes-about" role="alert" ?hidden=${wrong === null}>${wrong}</p>
      </fieldset>
      ${form.text({
        name: 'days',
        label: say('tokens.days'),
        type: 'number',
        value: String(USUAL_DAYS),
        least: 1,
        most: MOST_DAYS,
      })}
      ${form.secret({ name: 'password', label: say('enter.password') })}`;
    return html`<section class="card">
      <h2>${say('tokens.title')}</h2>
      <p class="about">${say('tokens.text')}</p>
      <ul class="rows" data-testid="tokens">
        ${repeat(
          tokens,
          ({ id }) => id,
          (token) => this.row(token),
        )}
      </ul>
      ${made === null ? nothing : this.fresh(made)}
      <details>
        <summary>${say('tokens.new')}</summary>
        ${form.draw(fields, say('tokens.go'), (values) => this.create(values))}
      </details>
    </section>`;
  }

  private row({ id, label, scopes, expires, used }: Token): TemplateResult {
    return html`<li class="row">
      <span class="row-main"
        ><strong>${label}</strong>
        <small>
          ${[
            scopes.join(', '),
            say('tokens.expires', { day: day(expires) }),
            used === null ? say('tokens.unused') : say('account.used', { at: moment(used) }),
          ].join(' · ')}</small
        ></span
      >
      <button aria-label=${say('tokens.end.long', { label })} @click=${() => void this.end(id)}>${say('tokens.end')}</button>
    </li>`;
  }

  private fresh({ token, label }: NewToken): TemplateResult {
    return html`<div class="fresh" role="status">
      <label for="fresh-token">${say('tokens.fresh', { label })}</label>
      <div class="link">
        <input id="fresh-token" type="text" readonly .value=${token} data-testid="fresh-token" @focus=${selectAll} />
        <button @click=${() => void this.copy(token)}>${say('challenge.copy')}</button>
      </div>
    </div>`;
  }

  private async create(values: FormData): Promise<void> {
    const scopes = values.getAll('scopes');
    const [label, password] = [textOf(values, 'label').trim(), textOf(values, 'password')];
    const body = { label, scopes, days: Number(textOf(values, 'days')), password };
    this.made = await call<NewToken>('POST', ADDRESS, body);
    await this.changed();
  }

  private async end(id: string): Promise<void> {
    await this.app.attempt(() => call('DELETE', `${ADDRESS}/${id}`));
    if (this.made?.id === id) this.made = null;
    await this.changed();
  }

  private async copy(token: string): Promise<void> {
    const copied = await navigator.clipboard.writeText(token).then(
      () => true,
      () => false,
    );
    this.app.say(copied ? say('toast.copied') : say('tokens.copy.failed'));
  }
}

const selectAll = (event: Event) => (event.target as HTMLInputElement).select();
