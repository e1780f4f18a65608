/** The user in the header, and the menu of their pages. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { query } from '../net/api';
import type { User } from '../net/protocol';
import type { AppServices } from '../session/services';
import { authLink } from '../ui/login-links';
import { icon } from '../ui/icons';
import { personPath } from '../ui/person-name';
import { closeMenu, placeMenu } from '../ui/popover';
import { say } from '../words/words';
import type { LogOut } from './log-out';

type Way = readonly [path: string, name: string];

export class PersonMenu {
  /** Roles are loaded when the menu is first opened. */
  private opened = false;

  constructor(private readonly app: AppServices & { readonly logOut: LogOut }) {}

  draw(path: string): TemplateResult {
    const { user } = this.app.socket;
    const stranger = user === null;
    const here = location.pathname + location.search;
    return html`${this.enter(user, path, here)}
      <button
        class="plain who"
        popovertarget="person-menu"
        aria-label=${stranger ? say('menu.visitor') : say('menu.of', { name: user.name })}
        data-testid="menu"
      >
        ${icon('person')}<span data-testid="user">${user?.name ?? ''}</span
        ><span class="you" aria-hidden="true">${say('nav.you')}</span>
      </button>
      <nav
        id="person-menu"
        popover
        aria-label=${say('menu.name')}
        @toggle=${(event: ToggleEvent) => this.toggled(event)}
        @click=${(event: Event) => closeMenu(event)}
      >
        <p class="menu-who">${saysWho(user)}</p>
        <ul>
          ${this.ways(user, here).map(
            ([to, name]) => html`<li>
              <a href=${to} data-page aria-current=${to === path ? 'page' : nothing}>${name}</a>
            </li>`,
          )}
          ${user && user.kind !== 'guest'
            ? html`<li>${this.app.logOut.draw('menu-logout', 'plain')}</li>`
            : nothing}
        </ul>
      </nav>`;
  }

  /** A guest has come to stay. */
  private enter(user: User | null, path: string, here: string): TemplateResult | typeof nothing {
    if (user !== null && user.kind !== 'guest') return nothing;
    const [to, name] = user === null ? (['/login', say('login.title')] as const) : (['/signup', say('signup.title')] as const);
    return path.startsWith(to) ? nothing : html`<a class="log-in" href=${authLink(to, here)} data-page>${name}</a>`;
  }

  private ways(user: User | null, here: string): Way[] {
    const ways: Way[] = [];
    if (user) {
      const games = `/games${query({ user: user.name })}`;
      ways.push([personPath(user.name), say('menu.profile')], [games, say('menu.games')], ['/account', say('account.title')]);
    }
    if (user && this.opened && this.app.roles.moderates(user)) ways.push(['/reports', say('reports.title')]);
    if (!user || user.kind === 'guest') {
      ways.push([authLink('/signup', here), say('signup.title')], [authLink('/login', here), say('login.title')]);
    }
    if (user && user.kind !== 'guest') ways.push(['/import', say('import.title')]);
    return [
      ...ways,
      ['/players', say('players.title')],
      ['/leaders', say('leaders.title')],
      ['/games', say('archive.title')],
      ['/?editor', say('menu.editor')],
      ['/search', say('search.title')],
      ['/settings', say('settings.title')],
    ];
  }

  private toggled(event: ToggleEvent): void {
    const menu = event.target as HTMLElement;
    if (event.newState !== 'open') {
      this.app.logOut.forget();
      this.app.changed();
      return;
    }
    placeMenu(menu);
    this.opened = true;
    this.app.changed();
  }
}

function saysWho(user: User | null): string {
  if (user === null) return say('menu.stranger');
  return user.kind === 'guest' ? say('menu.guest', { name: user.name }) : user.name;
}
