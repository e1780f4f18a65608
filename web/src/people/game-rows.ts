/** A game in a list, from the view of a player or of nobody. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Color, ListedGame, Results } from '../net/protocol';
import { endOf } from '../state/result-text';
import { describeSides } from '../time/control-text';
import { personName } from '../ui/person-name';
import { ratingChange } from '../ui/rating';
import { sideMark } from '../ui/side-mark';
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
    game.simul === undefined ? '' : say('do.simul'),
    // Before its end the list does not know them.
    game.status === 'over' ? say('count.moves', { n: movesOf(game.plies) }) : '',
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
  return html`<span class="row-side"
    >${sideMark(color)}${personName(user)}${rating === null ? nothing : html` <span class="row-rating">${shownRating(rating, provisional)}${after === undefined ? nothing : html` <span class="unseen">${say('rating.change')}</span>${ratingChange(rating, after)}`}</span>`}</span>`;
}

/** Moves as players count them: two half-moves are one. */
const movesOf = (plies: number): number => Math.ceil(plies / 2);

const resultOf = ({ result }: ListedGame): string =>
  result === '*' ? say('archive.none') : result.replace('1/2-1/2', '½-½');

/** `1534`; `1500?` if provisional. */
export const shownRating = (rating: number, provisional: boolean | null): string => `${rating}${provisional ? '?' : ''}`;

/** A game, or several boards of one simul. */
export type Entry = ListedGame | { simul: string; boards: ListedGame[] };

/** The boards of a simul as one entry, at the place of the first. */
export function entriesOf(games: readonly ListedGame[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const game of games) {
    const { simul = '', g } = game;
    const known = entries.get(simul);
    if (simul === '') entries.set(g, game);
    else if (known === undefined) entries.set(simul, game);
    else entries.set(simul, { simul, boards: [...('boards' in known ? known.boards : [known]), game] });
  }
  return [...entries.values()];
}

/**
 * The boards of a simul as one row.
 *
 * @param user as in `gameRow`.
 * @param more whether further boards may follow on the next page.
 */
export function simulRow(simul: string, boards: readonly ListedGame[], user: string | null, more: boolean): TemplateResult {
  const first = boards[0]!;
  const host = first.players[first.simul_host ?? 'w'].user;
  const n = boards.length;
  const live = boards.filter(({ status }) => status !== 'over').length;
  const about = [
    describeSides(first),
    first.variant === DEFAULT_VARIANT ? '' : variantName(first.variant),
    say(first.rated ? 'game.rated' : 'game.casual'),
    instant(first.created),
  ];
  return html`<a class="row" href="/simul/${simul}" data-page data-testid="simul-boards">
    <span class="row-main">
      <strong>${say('games.simul-of')} ${personName(host)}</strong>
      <small>${about.filter(Boolean).join(' · ')}</small>
      ${user === null || live === n ? nothing : html`<small>${resultsText(resultsOf(boards, user))}</small>`}
    </span>
    <span class="row-end">
      <strong>${say(more ? 'count.boards.more' : 'count.boards', { n })}</strong>
      ${live === 0 ? nothing : html`<small>${say('person.on')}</small>`}
    </span>
  </a>`;
}

export const resultsText = ({ won, drawn, lost }: Pick<Results, 'won' | 'drawn' | 'lost'>): string =>
  [say('person.won', { n: won }), say('person.drawn', { n: drawn }), say('person.lost', { n: lost })].join(' · ');

function resultsOf(games: readonly ListedGame[], user: string): Pick<Results, 'won' | 'drawn' | 'lost'> {
  const results = { won: 0, drawn: 0, lost: 0 };
  for (const game of games) {
    const outcome = outcomeFor(game, user);
    if (outcome !== null) results[outcome] += 1;
  }
  return results;
}

function outcomeFor({ players, result }: ListedGame, user: string | null): 'won' | 'lost' | 'drawn' | null {
  const { w, b } = players;
  if (user === null || w.user.id === b.user.id || result === '*') return null;
  if (result === '1/2-1/2') return 'drawn';
  return OUTCOMES[result][b.user.id === user ? 'b' : 'w'];
}
