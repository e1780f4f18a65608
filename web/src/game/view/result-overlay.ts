/** The result over the board, until it is closed. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { endOf, outcome, resultOf } from '../../state/result-text';
import { ClickGuard } from '../../ui/click-guard';
import { ratingChange } from '../../ui/rating';
import { say } from '../../words/words';

/** Whether the result is over the board: only if the game ended while the person watched. */
export class ResultOverlay {
  private laid = false;
  private readonly clickGuard: ClickGuard;

  constructor(private readonly changed: () => void) {
    this.clickGuard = new ClickGuard(changed);
  }

  show(): void {
    this.laid = true;
  }

  /** Close it. */
  hide(): void {
    this.laid = false;
  }

  draw(game: GameSnapshot, me: Color | null, score: string | null, ways: OverlayActions): TemplateResult | typeof nothing {
    const close = () => {
      this.hide();
      this.changed();
    };
    const drawn = this.laid ? resultOverlay(game, me, score, { ...ways, close, settled: this.clickGuard.isReady('overlay') }) : nothing;
    this.clickGuard.sweep();
    return drawn;
  }
}

export interface OverlayActions {
  /** Null for spectators. */
  rematch: (() => void) | null;
  again: (() => void) | null;
}

interface Laid extends OverlayActions {
  close(): void;
  /** Shown long enough for a click to be intended. */
  settled: boolean;
}

function resultOverlay(game: GameSnapshot, me: Color | null, score: string | null, ways: Laid): TemplateResult {
  const offered = me !== null && game.offers.rematch === opposite(me);
  const { settled } = ways;
  return html`<div class="overlay" role="dialog" aria-label=${outcome(game, me)} data-testid="overlay">
    <button class="plain close" data-testid="overlay-close" aria-label=${say('end.close')} @click=${() => ways.close()}>×</button>
    <p class="outcome">${outcome(game, me)}</p>
    <p class="why"><strong>${resultOf(game)}</strong> ${endOf(game)}</p>
    ${score === null ? nothing : html`<p class="match">${say(me === null ? 'game.match' : 'game.match.you', { score })}</p>`}
    ${me === null ? nothing : ratingNow(game, me)}
    ${offered ? html`<p>${say('end.rematch')}</p>` : nothing}
    <div class="buttons">
      ${ways.rematch && !game.next
        ? html`<button
            class="main"
            data-testid="overlay-rematch"
            ?disabled=${me !== null && game.offers.rematch === me}
            aria-disabled=${settled ? nothing : 'true'}
            @click=${() => settled && ways.rematch?.()}
          >
            ${say(offered ? 'do.rematch.accept' : 'do.rematch')}
          </button>`
        : nothing}
      ${ways.again ? html`<button data-testid="overlay-new" aria-disabled=${settled ? nothing : 'true'} @click=${() => settled && ways.again?.()}>${say('do.new')}</button>` : nothing}
    </div>
  </div>`;
}

/** The change of the player's rating. */
function ratingNow({ players, ratings, unrated }: GameSnapshot, me: Color): TemplateResult | typeof nothing {
  if (unrated) return html`<p data-testid="rating-now">${say(`unrated.${unrated}`)}</p>`;
  const before = players[me].rating;
  const after = ratings?.[me];
  if (before === null || after === undefined) return nothing;
  return html`<p data-testid="rating-now">${say('rating.now', { rating: after, change: ratingChange(before, after) })}</p>`;
}
