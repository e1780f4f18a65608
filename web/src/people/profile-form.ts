/** What a member says of themselves: a few lines and a country. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import type { Account, OwnProfile } from '../net/protocol';
import { Form, textOf } from '../ui/form';
import { say } from '../words/words';
import { COUNTRIES } from './countries';

const MOST_LETTERS = 400;
/** In place of a country. */
const NONE = 'none';

export class ProfileForm {
  private readonly form: Form;

  constructor(
    private readonly app: App,
    private readonly done: () => Promise<void>,
  ) {
    this.form = new Form('profile', () => app.changed());
  }

  draw({ about, country }: Pick<Account, 'about' | 'country'>): TemplateResult {
    const { form } = this;
    const fields = html`${form.area({
      name: 'about',
      label: say('profile.about'),
      hint: say('profile.about.hint', { n: MOST_LETTERS }),
      value: about,
      required: false,
      most: MOST_LETTERS,
    })}
    ${form.select({ name: 'country', label: say('profile.country') }, [[NONE, say('profile.country.none')], ...COUNTRIES], country ?? NONE)}`;
    return html`<section class="card">
      <h2>${say('profile.title')}</h2>
      ${form.draw(fields, say('profile.go'), async (values) => {
        const chosen = textOf(values, 'country');
        await call<OwnProfile>('PUT', '/api/v1/account/profile', {
          about: textOf(values, 'about'),
          country: chosen === NONE ? null : chosen,
        });
        await this.done();
        this.app.say(say('profile.done'));
      })}
    </section>`;
  }
}
