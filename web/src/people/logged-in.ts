/** What the pages to log in and sign up show to a member. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { message } from '../ui/message';
import { personPath } from '../ui/person-name';
import { say } from '../words/words';

/** For members, who have no business at a door. */
export function alreadyLoggedIn(app: App): TemplateResult {
  const name = app.socket.user?.name ?? '';
  return message(
    say('enter.in', { name }),
    say('enter.in.text'),
    html`<a class="button main" href=${personPath(name)} data-page>${say('menu.profile')}</a>
      ${app.logOut.draw('logout')}`,
  );
}
