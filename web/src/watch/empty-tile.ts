/** What a tile looks like before its game is known: it takes the same room. */

import { html, type TemplateResult } from 'lit-html';

const LINE = html`<span class="live-player"><span class="live-name">&nbsp;</span></span>`;
const BOARD = html`<span class="still-place"><span class="still"></span></span>`;

export function emptyTile(about = '', board: unknown = BOARD): TemplateResult {
  return html`<div class="tile-game" data-testid="featured-empty">${LINE}${board}${LINE}<span class="live-about">${about}</span></div>`;
}

/** In place of the featured game until it is loaded. */
export const emptyFeatured = (): TemplateResult => html`<div class="featured"><p class="featured-state">&nbsp;</p>${emptyTile()}</div>`;
