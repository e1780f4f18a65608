/** Marks of a prepared move. */

import { html, type TemplateResult } from 'lit-html';
import type { GameKind } from '../../board/core/game-kind';
import type { Color } from '../../net/protocol';
import type { Square } from '../../notation/pieces';

export function preparedMarks(move: string, bottom: Color, kind: Pick<GameKind, 'endpoints' | 'lattice'>): TemplateResult {
  return html`<div class="ready-marks" aria-hidden="true" data-testid="ready" data-move=${move}>
    ${kind.endpoints(move).map((square) => html`<i .style=${area(square, bottom, kind)}></i>`)}
  </div>`;
}

// Set through the DOM: the Content-Security-Policy forbids style attributes.
function area(square: Square, bottom: Color, { lattice }: Pick<GameKind, 'lattice'>): string {
  const { columns, rows } = lattice;
  const { column, row } = lattice.placeOf(square) ?? { column: 0, row: 0 };
  const box = lattice.box(square);
  if (box === null) return bottom === 'w' ? `grid-area: ${row + 1} / ${column + 1}` : `grid-area: ${rows - row} / ${columns - column}`;
  const at = (middle: number) => `${100 * ((bottom === 'w' ? middle : 1 - middle) - box.unit / 2)}%`;
  return `position: absolute; left: ${at(box.x)}; top: ${at(box.y)}; width: ${100 * box.unit}%; height: ${100 * box.unit}%`;
}
