/** The promotion dialog, at the square where the pawn arrives. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color } from '../../net/protocol';
import { promotions, squares } from '../../notation/uci';
import { say } from '../../words/words';
import { PIECE_NAMES } from './piece-names';

/** `choose` gets the letter, or null for a click outside. */
export function promotionChooser(
  moves: readonly string[],
  bottom: Color,
  choose: (letter: string | null) => void,
): TemplateResult | typeof nothing {
  const [first] = moves;
  if (first === undefined) return nothing;
  const [, to] = squares(first);
  const color = to.endsWith('8') ? 'white' : 'black';
  const file = to.charCodeAt(0) - 97;
  const column = bottom === 'w' ? file + 1 : 8 - file;
  // From the board's edge inwards.
  const atTop = (color === 'white') === (bottom === 'w');
  return html`<div
    class="promotion cg-wrap"
    role="dialog"
    aria-modal="true"
    aria-label=${say('game.promote')}
    data-testid="promotion"
    @click=${() => choose(null)}
    @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && choose(null)}
  >
    ${promotions(moves).map((letter, index) => {
      const piece = PIECE_NAMES[letter as Exclude<keyof typeof PIECE_NAMES, 'p'>];
      const row = atTop ? index + 1 : 8 - index;
      return html`<button
        data-testid="promote-${letter}"
        aria-label=${say(`game.${piece}`)}
        .style=${`grid-area: ${row} / ${column}`}
        @click=${(event: Event) => {
          event.stopPropagation();
          choose(letter);
        }}
      >
        <piece class="${piece} ${color}"></piece>
      </button>`;
    })}
  </div>`;
}
