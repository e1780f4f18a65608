/** Facts about the game: time control, variant, spectators, match score, and the page's tools. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, GameSnapshot } from '../../net/protocol';
import { describeSides, spell } from '../../time/control-text';
import { delayText } from '../../time/delay';
import { numberOf, variantAt } from '../../variants/chess960';
import { howPlayed } from '../../variants/how-played';
import { DEFAULT_VARIANT, gameOf } from '../../variants/registry';
import { rulesText } from '../../variants/rules-text';
import { nameOf, say } from '../../words/words';
import { boardFlips, setBoardFlips } from '../play/board-turns';
import { drawIn } from './status';

export interface AboutParts {
  game: GameSnapshot;
  own: readonly Color[];
  score: string | null;
  tools: TemplateResult;
  changed: () => void;
}

export function about({ game, own, score, tools, changed }: AboutParts): TemplateResult {
  const rated = game.unrated
    ? html`<span data-testid="unrated">${say(`game.unrated.${game.unrated}`)}</span>`
    : say(game.rated ? 'game.rated' : 'game.casual');
  const rules = rulesText(game);
  // Players see it above their actions.
  const limit = own.length === 0 ? drawIn(game) : nothing;
  const later = game.status === 'over' ? '' : delayText(game, own.length === 0 ? 'public' : 'player');
  return html`<section class="card about-game">
    <p class="about">
      ${game.tc === null ? nothing : html`<b title=${describeSides(game, spell)} data-testid="controls">${describeSides(game)}</b>`} ${nameOf('speed', game.speed)} · ${variantAt(game.variant, startNumber(game))} ·${rules === '' ? nothing : html` <span data-testid="profile">${rules}</span> ·`} ${rated} ·
      ${later === '' ? nothing : html`<span data-testid="later">${later}</span> ·`}
      ${limit === nothing ? nothing : html`${limit} ·`}
      <span class="watchers" data-testid="watchers">${say('count.watching', { n: game.watchers })}</span>
    </p>
    ${score === null
      ? nothing
      : html`<p class="match" data-testid="match">${say(own.length === 1 ? 'game.match.you' : 'game.match', { score })}</p>`}
    ${tools} ${own.length === 2 ? turning(changed) : nothing} ${game.variant === DEFAULT_VARIANT ? nothing : howPlayed(game.variant)}
  </section>`;
}

/** Number of the Chess960 start position; null in other variants, and for other positions. */
const startNumber = ({ variant, fen }: GameSnapshot): number | null =>
  gameOf(variant).starts > 1 && fen !== null ? numberOf(fen) : null;

/** With both sides on one screen: whether the board flips to the side to move. */
function turning(changed: () => void): TemplateResult {
  const change = (event: Event) => {
    setBoardFlips((event.target as HTMLInputElement).checked);
    changed();
  };
  return html`<label class="turning">
    <input type="checkbox" data-testid="turns" .checked=${boardFlips()} @change=${change} /> ${say('do.turns')}
  </label>`;
}
