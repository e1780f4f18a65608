/** A game in a list, from the view of a player or of nobody. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, ListedGame } from '../net/protocol';
import { endOf } from '../state/result-text';
import { describeSides } from '../time/control-text';
import { personName } from '../ui/person-name';
import { ratingChange } from '../ui/rating';
import { DEFAULT_VARIANT } from '../variants/registry';
import { instant } from '../words/dates';
import { nameOf, say, variantName } from '../words/words';

const OUTCOMES = { '1-0': { w: 'won', b: 'lost' }, '0-1': { w: 'lost', b: 'won' } } as const;

/** @param user id of the person whose list it is; null for all games. */
export function gameRow(game: ListedGame, user: string | null): TemplateResult {
  const outcome = outcomeFor(game, user);
  const about = [
    describeSides(game),
    nameOf('speed', game.speed),
    game.variant === DEFAULT_VARIANT ? '' : variantName(game.variant),
    say(game.rated ? 'game.rated' : 'game.casual'),
    instant(game.created),
  ];
  return html`<a class="row" href="/game/${game.g}" data-page data-outcome=${outcome ?? ''}>
    <span class="row-main">
      <strong>${side(game, 'w')}<span class="row-against"> – </span>${side(game, 'b')}</strong>
      <small>${about.filter(Boolean).join(' · ')}</small>
    </span>
    <span class="row-end">
      <strong>${game.status === 'over' ? resultOf(game) : say('person.on')}</strong>
      <small>${[outcome === null ? '' : nameOf('result', outcome), endOf(game)].filter(Boolean).join(', ')}</small>
    </span>
  </a>`;
}

function side({ players, ratings }: ListedGame, color: Color): TemplateResult {
  const { user, rating, provisional } = players[color];
  const after = ratings?.[color];
  return html`<span class="row-side">${personName(user)}${rating === null ? nothing : html` <span class="row-rating">${shownRating(rating, provisional)}${after === undefined ? nothing : html` <span class="unseen">${say('rating.change')}</span>${ratingChange(rating, after)}`}</span>`}</span>`;
}

const resultOf = ({ result }: ListedGame): string =>
  result === '*' ? say('archive.none') : result.replace('1/2-1/2', '½-½');

/** `1534`; `1500?` if provisional. */
export const shownRating = (rating: number, provisional: boolean | null): string => `${rating}${provisional ? '?' : ''}`;

function outcomeFor({ players, result }: ListedGame, user: string | null): 'won' | 'lost' | 'drawn' | null {
  const { w, b } = players;
  if (user === null || w.user.id === b.user.id || result === '*') return null;
  if (result === '1/2-1/2') return 'drawn';
  return OUTCOMES[result][b.user.id === user ? 'b' : 'w'];
}
