/** The result over the board, until it is put away. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, GameSnapshot } from '../protocol';
import { say } from '../words';
import { endOf, outcome } from './ending';

export interface OverlayWays {
  close(): void;
  /** Null for who only watched. */
  rematch: (() => void) | null;
  again: (() => void) | null;
}

export function resultOverlay(game: GameSnapshot, me: Color | null, score: string | null, ways: OverlayWays): TemplateResult {
  return html`<div class="overlay" role="dialog" aria-label=${outcome(game, me)} data-testid="overlay">
    <button class="plain close" data-testid="overlay-close" aria-label=${say('end.close')} @click=${() => ways.close()}>×</button>
    <p class="outcome">${outcome(game, me)}</p>
    <p class="why"><strong>${game.result.replace('1/2-1/2', '½–½').replace('-', '–')}</strong> ${endOf(game)}</p>
    ${score === null ? nothing : html`<p class="match">${say(me === null ? 'game.match' : 'game.match.you', { score })}</p>`}
    <div class="buttons">
      ${ways.rematch && !game.next
        ? html`<button
            class="main"
            data-testid="overlay-rematch"
            ?disabled=${me !== null && game.offers.rematch === me}
            @click=${ways.rematch}
          >
            ${say('do.rematch')}
          </button>`
        : nothing}
      ${ways.again ? html`<button data-testid="overlay-new" @click=${ways.again}>${say('do.new')}</button>` : nothing}
    </div>
  </div>`;
}
