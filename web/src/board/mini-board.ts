/** A small still board of any game: what stands where, for lists of games. Nobody can play on it. */

import { html, type TemplateResult } from 'lit-html';
import { until } from 'lit-html/directives/until.js';
import type { Color } from '../net/protocol';
import { chessMini } from './chess/mini';
import { groundOf, type VariantRef } from './grounds';

let draw: typeof import('./ground/mini').groundMini | null = null;

/** A picture; whoever shows it names it. `last` is a wire move, its squares are marked. */
export function miniBoard(of: VariantRef, fen: string, last: string | null, bottom: Color = 'w'): unknown {
  const ground = groundOf(of);
  if (ground === null) return chessMini(fen, last, bottom);
  // Drawn at once when it can be: lists are drawn several times a second.
  if (draw !== null && !(ground instanceof Promise)) return draw(ground, fen, last, bottom);
  // Where it does not come the place stays empty.
  const empty: TemplateResult = html`<span class="mini ground" aria-hidden="true"></span>`;
  const drawn = Promise.all([ground, import('./ground/mini')]).then(
    ([known, { groundMini }]) => (draw = groundMini)(known, fen, last, bottom),
    () => empty,
  );
  return until(drawn, empty);
}
