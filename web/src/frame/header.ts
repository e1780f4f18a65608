/** The header of every page: navigation, user, and connection state. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ConnectionState } from '../net/socket';
import { icon, type IconName } from '../ui/icons';
import { clockMark, gear } from '../ui/logos';
import { closeMenu, placeMenu } from '../ui/popover';
import { say, type PlainKey } from '../words/words';

const PLACES: readonly (readonly [path: string, name: PlainKey])[] = [
  ['/', 'nav.lobby'],
  ['/simuls', 'nav.simuls'],
  ['/games', 'nav.games'],
  ['/leaders', 'nav.leaders'],
  ['/search', 'nav.search'],
];

/** Shown where the places are a bar at the bottom of a phone. */
const ICONS: Readonly<Record<string, IconName>> = { '/': 'pawn', '/simuls': 'grid' };

const WATCHED: readonly (readonly [path: string, name: PlainKey])[] = [
  ['/tv', 'nav.tv'],
  ['/live', 'nav.live'],
  ['/wall', 'nav.wall'],
];

/** `tools`: activity, invitations and the user's menu; `skip`: move the focus to the page. */
export function header(line: ConnectionState, path: string, tools: TemplateResult, skip: () => void): TemplateResult {
  const here = (to: string) => (to === path ? 'page' : nothing);
  const way = ([to, name]: (typeof PLACES)[number]) =>
    html`<a href=${to} data-page aria-current=${here(to)}>${to in ICONS ? icon(ICONS[to]!) : nothing}${say(name)}</a>`;
  const past = (event: Event) => {
    event.preventDefault();
    skip();
  };
  return html`<a class="skip" href="#page" @click=${past}>${say('app.skip')}</a>
    <a class="brand" href="/" data-page aria-label=${say('nav.home')}>${clockMark}<span>${say('app.name')}</span></a>
    <nav class="places" aria-label=${say('nav.main')}>
      ${PLACES.slice(0, 1).map(way)} ${watching(path)} ${PLACES.slice(1).map(way)}
    </nav>
    <span class="line" data-testid="line" data-line=${line} role="status">${say(`line.${line}`)}</span>
    ${tools}
    <a class="icon-link" href="/settings" data-page aria-current=${here('/settings')} aria-label=${say('nav.settings')}
      >${gear}</a
    >`;
}

/** The menu of pages to watch games. */
function watching(path: string): TemplateResult {
  const within = (to: string) => path === to || path.startsWith(`${to}/`);
  return html`<button
      class="plain watch-opener"
      popovertarget="watch-menu"
      aria-current=${WATCHED.some(([to]) => within(to)) ? 'true' : nothing}
      data-testid="watch"
    >
      ${icon('eye')}${say('nav.watch')}
    </button>
    <div
      id="watch-menu"
      class="menu"
      popover
      @toggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.target as HTMLElement)}
      @click=${closeMenu}
    >
      <ul>
        ${WATCHED.map(
          ([to, name]) => html`<li>
            <a href=${to} data-page aria-current=${within(to) ? 'page' : nothing}>${say(name)}</a>
          </li>`,
        )}
      </ul>
    </div>`;
}
