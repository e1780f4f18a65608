/** What the log-in and sign-up pages show to a member. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { message } from '../ui/message';
import { personPath } from '../ui/person-name';
import { say } from '../words/words';

/** A message that the person is logged in. */
export function alreadyLoggedIn(app: App): TemplateResult {
  const name = app.socket.user?.name ?? '';
  return message(
    say('enter.in', { name }),
    say('enter.in.text'),
    html`<a class="button main" href=${personPath(name)} data-page>${say('menu.profile')}</a>
      ${app.logOut.draw('logout')}`,
  );
}
