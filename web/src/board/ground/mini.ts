/** A small static board of our own, for lists of games. */

import { html, type TemplateResult } from 'lit-html';
import type { Color } from '../../net/protocol';
import { pathSquares, pieceClass, type Ground } from './ground';
import { at } from './pieces';

/** An image; the caller labels it. */
export function groundMini(ground: Ground, fen: string, last: string | null, bottom: Color): TemplateResult {
  const side = `${100 * ground.unit}%`;
  const style = (square: string) => `width: ${side}; height: ${side}; transform: ${at(ground, square, bottom)}`;
  const marks = new Set((last === null ? [] : pathSquares(last)).filter((square) => ground.places.has(square)));
  return html`<span class="mini ground ${ground.className}" aria-hidden="true">
    ${ground.holes ? [...ground.places.keys()].map((square) => html`<i class="hole" .style=${style(square)}></i>`) : null}
    ${[...marks].map((square) => html`<i class="ground-last" .style=${style(square)}></i>`)}
    ${[...ground.placement(fen)].map(([square, piece]) => html`<b class=${pieceClass(piece)} .style=${style(square)}></b>`)}
  </span>`;
}
