/** The log-in page. */

import { html, nothing, render } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import { alreadyLoggedIn } from '../people/logged-in';
import { focusField } from '../ui/first-field';
import { Form, textOf } from '../ui/form';
import { authLink, nextPath } from '../ui/login-links';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class LogInPage implements Page {
  private readonly form: Form;
  private sending = false;
  private isNew = true;

  constructor(private readonly app: App) {
    this.form = new Form('login', () => app.changed());
    document.title = say('app.title', { page: say('login.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { user } = this.app.socket;
    if (user && user.kind !== 'guest' && !this.sending) {
      render(alreadyLoggedIn(this.app), root);
      return;
    }
    const here = location.pathname + location.search;
    const fields = html`${this.form.text({ name: 'name', label: say('enter.name'), autocomplete: 'username' })}
    ${this.form.secret({ name: 'password', label: say('enter.password'), autocomplete: 'current-password' })}`;
    render(
      html`<section class="card narrow">
        <h1>${say('login.title')}</h1>
        ${user?.kind === 'guest'
          ? html`<p>
              ${say('login.guest', { name: user.name })}
              <a href=${authLink('/signup', here)} data-page>${say('login.guest.keep')}</a>
            </p>`
          : nothing}
        ${this.form.draw(fields, say('login.title'), (values) => this.logIn(values))}
        <p class="aside">
          <a href=${authLink('/forgotten', here)} data-page>${say('login.forgotten')}</a>
          <a href=${authLink('/signup', here)} data-page>${say('signup.title')}</a>
        </p>
      </section>`,
      root,
    );
    if (this.isNew) focusField(root.querySelector('#login-name'));
    this.isNew = false;
  }

  private async logIn(values: FormData): Promise<void> {
    const body = { name: textOf(values, 'name').trim(), password: textOf(values, 'password') };
    this.sending = true;
    try {
      await this.app.session.change(() => call('POST', '/api/v1/login', body));
      this.app.navigate(nextPath());
    } finally {
      this.sending = false;
    }
  }
}
