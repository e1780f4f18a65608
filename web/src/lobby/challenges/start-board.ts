/** The start position of a game, as a small board. */

import { html, type TemplateResult } from 'lit-html';
import { miniBoard } from '../../board/mini-board';
import type { Color } from '../../net/protocol';
import { gameOf } from '../../variants/registry';
import { say, SIDES } from '../../words/words';

/** `turn`: side to move; null if the position does not say. */
export interface Start {
  fen: string;
  turn: Color | null;
}

/** Label for screen readers. */
export const startName = ({ turn }: Pick<Start, 'turn'>): string =>
  turn === null ? say('create.position.start') : say('create.position.preview', { side: SIDES[turn] });

export function startBoard(start: Start, variant: string, bottom: Color, id: string): TemplateResult {
  const { game } = gameOf(variant);
  return html`<div class="position-board" role="img" data-testid=${id} aria-label=${startName(start)}>
    ${miniBoard({ game, variant }, start.fen, null, bottom)}
  </div>`;
}
