/** A small static board of any game, for lists of games. */

import { html, type TemplateResult } from 'lit-html';
import { until } from 'lit-html/directives/until.js';
import type { Color } from '../net/protocol';
import { chessMini } from './chess/mini';
import { groundOf, type VariantRef } from './grounds';

let draw: typeof import('./ground/mini').groundMini | null = null;

/** An image; the caller labels it. `last` is a wire move whose squares are marked. */
export function miniBoard(of: VariantRef, fen: string, last: string | null, bottom: Color = 'w'): unknown {
  const ground = groundOf(of);
  if (ground === null) return chessMini(fen, last, bottom);
  // Synchronously if possible: lists are drawn several times a second.
  if (draw !== null && !(ground instanceof Promise)) return draw(ground, fen, last, bottom);
  // If it cannot be loaded, the place stays empty.
  const empty: TemplateResult = html`<span class="mini ground" aria-hidden="true"></span>`;
  const drawn = Promise.all([ground, import('./ground/mini')]).then(
    ([known, { groundMini }]) => (draw = groundMini)(known, fen, last, bottom),
    () => empty,
  );
  return until(drawn, empty);
}
