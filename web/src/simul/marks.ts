/** The squares of a move that is made ready, on the board. */

import { html, type TemplateResult } from 'lit-html';
import { squares } from '../moves';
import type { Color } from '../protocol';

export function marks(move: string, bottom: Color): TemplateResult {
  return html`<div class="ready-marks" aria-hidden="true" data-testid="ready" data-move=${move}>
    ${squares(move).map((square) => html`<i .style=${area(square, bottom)}></i>`)}
  </div>`;
}

// Set through the object model: a style attribute would be refused by the Content-Security-Policy.
function area(square: string, bottom: Color): string {
  const [x, y] = [square.charCodeAt(0) - 96, 9 - Number(square[1])];
  return bottom === 'w' ? `grid-area: ${y} / ${x}` : `grid-area: ${9 - y} / ${9 - x}`;
}
