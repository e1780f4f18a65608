/** The sign-up page. A guest keeps their identity and gets a name and a password. */

import { html, nothing, render } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import { LIMITS } from '../net/protocol';
import { keepCasual } from '../lobby/waiting/casual-choice';
import { alreadyLoggedIn } from '../people/logged-in';
import { focusField } from '../ui/first-field';
import { Form, textOf } from '../ui/form';
import { authLink, nextPath } from '../ui/login-links';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class SignUpPage implements Page {
  private readonly form: Form;
  private sending = false;
  private isNew = true;

  constructor(private readonly app: App) {
    this.form = new Form('signup', () => app.changed(), { name_taken: 'name' });
    document.title = say('app.title', { page: say('signup.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { user } = this.app.socket;
    // Not while this form is signing up.
    if (user && user.kind !== 'guest' && !this.sending) {
      render(alreadyLoggedIn(this.app), root);
      return;
    }
    const fields = html`${this.form.text({
      name: 'name',
      label: say('enter.name'),
      hint: say('signup.name.hint', { from: LIMITS.nameFrom, to: LIMITS.nameTo }),
      most: LIMITS.nameTo,
      autocomplete: 'username',
    })}
    ${this.form.secret({
      name: 'password',
      label: say('enter.password'),
      hint: say('signup.password.hint', { n: LIMITS.passwordFrom }),
      least: LIMITS.passwordFrom,
      most: LIMITS.passwordTo,
      autocomplete: 'new-password',
    })}
    ${this.form.text({
      name: 'email',
      label: say('signup.email'),
      hint: say('signup.email.hint'),
      type: 'email',
      required: false,
      autocomplete: 'email',
    })}`;
    render(
      html`<section class="card narrow">
        <h1>${say('signup.title')}</h1>
        ${user?.kind === 'guest' ? html`<p data-testid="keeps">${say('signup.keeps', { name: user.name })}</p>` : nothing}
        ${this.form.draw(fields, say('signup.go'), (values) => this.signUp(values))}
        <p class="aside">
          ${say('signup.member')}
          <a href=${authLink('/login', location.pathname + location.search)} data-page>${say('login.title')}</a>
        </p>
      </section>`,
      root,
    );
    if (this.isNew) focusField(root.querySelector('#signup-name'));
    this.isNew = false;
  }

  private async signUp(values: FormData): Promise<void> {
    const body = {
      name: textOf(values, 'name').trim(),
      password: textOf(values, 'password'),
      email: textOf(values, 'email').trim() || null,
    };
    this.sending = true;
    try {
      await this.app.session.change(() => call('POST', '/api/v1/signup', body));
      // So far they have played casual games: they turn to rated ones themselves.
      keepCasual(true);
      this.app.say(say('signup.done', { name: body.name }));
      this.app.navigate(nextPath());
    } finally {
      this.sending = false;
    }
  }
}
