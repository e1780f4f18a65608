/** Forgotten password: request a code, and set a new password with it. */

import { html, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import { LIMITS, type Account } from '../net/protocol';
import { Form, textOf } from '../ui/form';
import { nextPath } from '../ui/login-links';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class ForgottenPage implements Page {
  private readonly requestForm: Form;
  private readonly resetForm: Form;
  /** The name that a code was requested for. */
  private name: string | null = null;
  /** Whether the server sends mail, as its answer said. */
  private mail = true;

  constructor(private readonly app: App) {
    this.requestForm = new Form('forgotten', () => app.changed());
    this.resetForm = new Form('reset', () => app.changed(), { bad_credentials: 'code' });
    document.title = say('app.title', { page: say('forgotten.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { requestForm, resetForm } = this;
    const ask = requestForm.text({ name: 'name', label: say('enter.name'), autocomplete: 'username' });
    render(
      html`<div class="column narrow">
        <h1>${say('forgotten.title')}</h1>
        <section class="card">
          <h2>${say('forgotten.ask')}</h2>
          <p>${say('forgotten.ask.text')}</p>
          ${requestForm.draw(ask, say('forgotten.ask.go'), (values) => this.ask(values))}
          <p role="status" data-testid="sent">${this.sent()}</p>
        </section>
        <section class="card">
          <h2>${say('forgotten.set')}</h2>
          ${resetForm.draw(this.fields(), say('forgotten.set.go'), (values) => this.set(values))}
        </section>
      </div>`,
      root,
    );
  }

  private sent(): string {
    if (this.name === null) return '';
    return this.mail ? say('forgotten.sent', { name: this.name }) : say('forgotten.no-mail');
  }

  private fields(): TemplateResult {
    const { resetForm } = this;
    return html`${resetForm.text({
      name: 'name',
      label: say('enter.name'),
      value: this.name ?? '',
      autocomplete: 'username',
    })}
    ${resetForm.text({
      name: 'code',
      label: say('forgotten.code'),
      hint: say('forgotten.code.hint'),
      autocomplete: 'one-time-code',
    })}
    ${resetForm.secret({
      name: 'password',
      label: say('account.password.new'),
      hint: say('signup.password.hint', { n: LIMITS.passwordFrom }),
      least: LIMITS.passwordFrom,
      most: LIMITS.passwordTo,
      autocomplete: 'new-password',
    })}`;
  }

  private async ask(values: FormData): Promise<void> {
    const name = textOf(values, 'name').trim();
    ({ mail: this.mail } = await call<Pick<Account, 'mail'>>('POST', '/api/v1/reset/request', { name }));
    this.name = name;
  }

  private async set(values: FormData): Promise<void> {
    const body = {
      name: textOf(values, 'name').trim(),
      code: textOf(values, 'code').trim(),
      password: textOf(values, 'password'),
    };
    await this.app.session.change(() => call('POST', '/api/v1/reset', body));
    this.app.say(say('forgotten.done'));
    this.app.navigate(nextPath());
  }
}
