/**
 * Dialog to choose between captures that share start and end but take different pieces: their paths over the board, and
 * their names.
 */

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Color } from '../../net/protocol';
import { say } from '../../words/words';
import type { LegalLeaps } from '../core/play-board';
import { pathSquares, seenFrom, type Ground } from './ground';

const LINES = 4;

export function captureChooser(
  ground: Ground,
  moves: readonly string[],
  leaps: LegalLeaps | null,
  bottom: Color,
  choose: (value: string | null) => void,
): TemplateResult | typeof nothing {
  if (moves.length < 2) return nothing;
  const points = (move: string) => {
    const path = leaps?.[move]?.[0]?.path ?? pathSquares(move).slice(1);
    const places = [pathSquares(move)[0]!, ...path].flatMap((square) => ground.places.get(square) ?? []);
    return places.map((place) => seenFrom(place, bottom));
  };
  const line = (move: string) =>
    points(move)
      .map(({ x, y }) => `${(100 * x).toFixed(2)},${(100 * y).toFixed(2)}`)
      .join(' ');
  // The names stand where they cover less of the paths.
  const heights = moves.flatMap(points).map(({ y }) => y);
  const above = Math.min(...heights) > 1 - Math.max(...heights);
  return html`<div
    class=${above ? 'ways above' : 'ways'}
    role="dialog"
    aria-modal="true"
    aria-label=${say('ground.which-way')}
    data-testid="ways"
    @click=${() => choose(null)}
    @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && choose(null)}
  >
    <svg viewBox="0 0 100 100" aria-hidden="true">
      ${moves.map((move, index) => svg`<polyline class="way-${index % LINES}" points=${line(move)}></polyline>`)}
    </svg>
    <div class="way-names" data-testid="way-names">
      <p>${say('ground.which-way')}</p>
      ${moves.map(
        (move, index) =>
          html`<button
            class="way-${index % LINES}"
            data-testid="way-${move}"
            @click=${(event: Event) => {
              event.stopPropagation();
              choose(move);
            }}
          >
            ${move}
          </button>`,
      )}
    </div>
  </div>`;
}
