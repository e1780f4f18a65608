/** The line above every page: where one can go, who one is, and whether the line holds. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Line } from '../socket';
import { say, type PlainKey } from '../words';
import { clockMark, gear } from './marks';

const PLACES: readonly (readonly [path: string, name: PlainKey])[] = [
  ['/', 'nav.lobby'],
  ['/live', 'nav.live'],
  ['/simuls', 'nav.simuls'],
  ['/games', 'nav.games'],
  ['/leaders', 'nav.leaders'],
  ['/search', 'nav.search'],
];

/** `menu`: who one is, and the person's own pages; `skip`: bring the focus to the page. */
export function header(line: Line, path: string, menu: TemplateResult, skip: () => void): TemplateResult {
  const here = (to: string) => (to === path ? 'page' : nothing);
  const past = (event: Event) => {
    event.preventDefault();
    skip();
  };
  return html`<a class="skip" href="#page" @click=${past}>${say('app.skip')}</a>
    <a class="brand" href="/" data-page aria-label=${say('nav.home')}>${clockMark}<span>${say('app.name')}</span></a>
    <nav class="places" aria-label=${say('nav.main')}>
      ${PLACES.map(([to, name]) => html`<a href=${to} data-page aria-current=${here(to)}>${say(name)}</a>`)}
    </nav>
    <span class="line" data-testid="line" data-line=${line} role="status">${say(`line.${line}`)}</span>
    ${menu}
    <a class="icon-link" href="/settings" data-page aria-current=${here('/settings')} aria-label=${say('nav.settings')}
      >${gear}</a
    >`;
}
