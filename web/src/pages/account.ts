/** Account page: data, sessions, and what can be changed. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call, userAddress } from '../net/api';
import { LIMITS, Refused, type Account, type Profile } from '../net/protocol';
import { BlockedPeople } from '../people/blocked';
import { ProfileForm } from '../people/profile-form';
import { Sessions } from '../people/sessions';
import { banText } from '../people/timeout-form';
import { Tokens } from '../people/tokens';
import { Form, textOf } from '../ui/form';
import { authLink } from '../ui/login-links';
import { message } from '../ui/message';
import type { Page } from '../ui/page';
import { personName, personPath } from '../ui/person-name';
import { day } from '../words/dates';
import { nameOf, say } from '../words/words';

export class AccountPage implements Page {
  private account: Account | 'loading' | 'nobody' | 'failed' = 'loading';
  /** The user whose account was loaded. */
  private of: string | null = null;
  private hasPlayed = true;
  private readonly password: Form;
  private readonly email: Form;
  private readonly code: Form;
  private readonly bot: Form;
  private readonly end: Form;
  private readonly sessions: Sessions;
  private readonly tokens: Tokens;
  private readonly blocked: BlockedPeople;
  private readonly profile: ProfileForm;
  /** The person has come to edit their profile. */
  private edits = new URLSearchParams(location.search).has('profile');

  constructor(private readonly app: App) {
    const form = (id: string) => new Form(id, () => app.changed());
    [this.password, this.bot, this.end] = [form('password'), form('bot'), form('delete')];
    [this.email, this.code] = [form('email'), form('email-code')];
    const again = () => this.load();
    this.sessions = new Sessions(app, again);
    this.tokens = new Tokens(app, again);
    this.blocked = new BlockedPeople(app);
    this.profile = new ProfileForm(app, again);
    document.title = say('app.title', { page: say('account.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { user, state } = this.app.socket;
    const of = user && `${user.id} ${user.name}`;
    if (state === 'open' && of === null) {
      this.of = null;
      this.account = 'nobody';
    } else if (state === 'open' && of !== this.of) {
      this.of = of;
      this.account = 'loading';
      this.tokens.forget();
      void this.load();
    }
    render(this.whole(), root);
    const about = this.edits ? root.querySelector<HTMLElement>('#profile-about') : null;
    if (about === null) return;
    this.edits = false;
    about.focus();
  }

  private whole(): TemplateResult {
    const { account } = this;
    if (account === 'loading') return html`<p class="empty">${say('app.loading')}</p>`;
    if (account === 'nobody') {
      return message(
        say('account.nobody'),
        say('account.nobody.text'),
        html`<a class="button main" href=${authLink('/login', '/account')} data-page>${say('login.title')}</a>
          <a class="button" href=${authLink('/signup', '/account')} data-page>${say('signup.title')}</a>`,
      );
    }
    if (account === 'failed') {
      const again = html`<button class="main" @click=${() => void this.load()}>${say('broken.again')}</button>`;
      return message(say('broken.title'), say('account.failed'), again);
    }
    const guest = account.user.kind === 'guest';
    return html`<div class="column account" data-testid="account">
      <h1>${say('account.title')}</h1>
      ${this.who(account)} ${guest ? this.guests(account) : this.members(account)}
    </div>`;
  }

  private who({ user, roles, created, ban }: Account): TemplateResult {
    return html`<section class="card">
      <h2>${personName(user)}</h2>
      <p class="about">
        ${[nameOf('person', user.kind), say('person.since', { day: day(created) }), ...roles.map((role) => nameOf('role', role))].join(
          ' · ',
        )}
      </p>
      ${ban
        ? html`<p class="fault" data-testid="ban">${banText(ban)}</p>`
        : nothing}
      <div class="buttons">
        <a class="button" href=${personPath(user.name)} data-page>${say('menu.profile')}</a>
        ${user.kind === 'guest'
          ? nothing
          : this.app.logOut.draw('logout')}
      </div>
    </section>`;
  }

  private guests(account: Account): TemplateResult {
    return html`<section class="card">
        <h2>${say('account.guest')}</h2>
        <p>${say('account.guest.text')}</p>
        <div class="buttons">
          <a class="button main" href=${authLink('/signup', '/account')} data-page>${say('signup.title')}</a>
          <a class="button" href=${authLink('/login', '/account')} data-page>${say('login.title')}</a>
        </div>
      </section>
      ${this.blocked.draw(account.user.id)} ${this.data()}`;
  }

  private members(account: Account): TemplateResult {
    const { user } = account;
    return html`${this.profile.draw(account)} ${this.passwords()} ${this.emails(account)} ${this.sessions.draw(account.sessions)}
      ${this.tokens.draw(account.tokens)} ${this.blocked.draw(user.id)} ${this.data()}
      ${user.kind === 'member' && !this.hasPlayed ? this.bots() : nothing} ${this.leaving(user.name)}`;
  }

  private passwords(): TemplateResult {
    const { password } = this;
    const fields = html`${password.secret({ name: 'old', label: say('account.password.old') })}
    ${password.secret({
      name: 'new',
      label: say('account.password.new'),
      hint: say('signup.password.hint', { n: LIMITS.passwordFrom }),
      least: LIMITS.passwordFrom,
      most: LIMITS.passwordTo,
      autocomplete: 'new-password',
    })}`;
    return html`<section class="card">
      <h2>${say('account.password')}</h2>
      <p class="about">${say('account.password.text')}</p>
      ${this.knownName()}
      ${password.draw(fields, say('account.password.go'), async (values) => {
        await call('POST', '/api/v1/account/password', { old: textOf(values, 'old'), new: textOf(values, 'new') });
        this.app.say(say('account.password.done'));
        await this.load();
      })}
    </section>`;
  }

  private emails({ email, unconfirmed, mail }: Account): TemplateResult {
    const form = this.email;
    const fields = html`${form.text({
      name: 'email',
      label: say('account.email.new'),
      type: 'email',
      value: unconfirmed ?? email ?? '',
      required: false,
      hint: say('account.email.hint'),
      autocomplete: 'email',
    })}
    ${form.secret({ name: 'password', label: say('enter.password') })}`;
    return html`<section class="card">
      <h2>${say('account.email')}</h2>
      <p class="about" data-testid="email-now">${email ?? say('account.email.none')}</p>
      ${mail ? nothing : html`<p data-testid="no-mail">${say('account.email.no-mail')}</p>`}
      ${unconfirmed === null ? nothing : this.confirming(unconfirmed)}
      ${form.draw(fields, say('account.email.go'), async (values) => {
        const wanted = textOf(values, 'email').trim() || null;
        const body = { email: wanted, password: textOf(values, 'password') };
        const { unconfirmed: waits } = await call<Pick<Account, 'unconfirmed'>>('PUT', '/api/v1/account/email', body);
        const done = waits === null ? 'done' : mail ? 'sent' : 'kept';
        this.app.say(say(`account.email.${done}`, { email: waits ?? '' }));
        await this.load();
      })}
    </section>`;
  }

  /** An address counts once its code is entered. */
  private confirming(unconfirmed: string): TemplateResult {
    const fields = this.code.text({ name: 'code', label: say('forgotten.code'), hint: say('forgotten.code.hint') });
    return html`<p data-testid="email-unconfirmed">${say('account.email.unconfirmed', { email: unconfirmed })}</p>
      ${this.code.draw(fields, say('account.email.confirm'), async (values) => {
        await call('POST', '/api/v1/account/email/code', { code: textOf(values, 'code') });
        this.app.say(say('account.email.done'));
        await this.load();
      })}`;
  }

  private data(): TemplateResult {
    return html`<section class="card">
      <h2>${say('account.data')}</h2>
      <p class="about">${say('account.data.text')}</p>
      <div class="buttons">
        <a class="button" href="/api/v1/account/export" download data-testid="export">${say('account.data.go')}</a>
      </div>
    </section>`;
  }

  private bots(): TemplateResult {
    const fields = this.bot.secret({ name: 'password', label: say('enter.password') });
    return html`<details class="card">
      <summary><h2>${say('account.bot')}</h2></summary>
      <p>${say('account.bot.text')}</p>
      ${this.bot.draw(
        fields,
        say('account.bot.go'),
        async (values) => {
          await call('POST', '/api/v1/account/bot', { password: textOf(values, 'password') });
          await this.app.socket.reopen().catch(() => undefined);
          await this.load();
        },
        { grave: true },
      )}
    </details>`;
  }

  private leaving(name: string): TemplateResult {
    const fields = this.end.secret({ name: 'password', label: say('enter.password') });
    return html`<details class="card" data-testid="leaving">
      <summary><h2>${say('account.delete')}</h2></summary>
      <p>${say('account.delete.text')}</p>
      ${this.end.draw(
        fields,
        say('account.delete.go', { name }),
        async (values) => {
          const password = textOf(values, 'password');
          await this.app.session.change(() => call('POST', '/api/v1/account/delete', { password }));
          this.app.say(say('account.delete.done'));
          this.app.navigate('/');
        },
        { grave: true },
      )}
    </details>`;
  }

  /** Password managers need to know whose password changes. */
  private knownName(): TemplateResult {
    const name = this.app.socket.user?.name ?? '';
    return html`<input type="text" autocomplete="username" .value=${name} form="password" readonly hidden />`;
  }

  private async load(): Promise<void> {
    try {
      const account = await call<Account>('GET', '/api/v1/account');
      this.account = account;
      const { name, kind } = account.user;
      if (kind === 'member') this.hasPlayed = (await call<Profile>('GET', userAddress(name))).games.total > 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.account = error.code === 'unauthenticated' ? 'nobody' : 'failed';
    }
    this.app.changed();
  }
}
