/** Open seeks as a list, with a button to accept each. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { App } from '../../app';
import type { Outgoing, Seek, Waiter } from '../../net/protocol';
import { describe } from '../../time/control-text';
import { delayText } from '../../time/delay';
import { speedOf } from '../../time/speed';
import { personLink } from '../../ui/person-name';
import { ratingText } from '../../ui/rating';
import { variantAt } from '../../variants/chess960';
import { rulesText } from '../../variants/rules-text';
import { nameOf, say, SIDES } from '../../words/words';
import { ratingRange } from './rating-range';
import { waitKey, type ListedSeek } from './seek-fit';

export function seekList(app: App, listed: readonly ListedSeek[], testid = 'seeks'): TemplateResult {
  return html`<ul class="seeks" data-testid=${testid}>
    ${repeat(
      listed,
      ({ seek }) => seek.seek,
      (one) => row(app, one),
    )}
  </ul>`;
}

function row(app: App, one: ListedSeek): TemplateResult {
  const { seek, fit } = one;
  const { user, rating, provisional } = seek;
  const about = [
    nameOf('speed', speedOf(seek.tc)),
    variantAt(seek.variant, seek.position),
    rulesText(seek),
    seek.rated ? say('seeks.rated') : say('seeks.casual'),
    seek.color === 'random' ? '' : say('seeks.side', { side: SIDES[seek.color] }),
    delayText(seek),
    rangeOf(seek),
    fit === 'members' ? say('seeks.members') : '',
  ];
  return html`<li data-seek=${seek.seek} data-fit=${fit}>
    <span class="seek-tempo">${describe(seek.tc)}</span>
    <span class="seek-who"
      >${personLink(user)}${rating === null
        ? nothing
        : html` <span class="seek-rating">${ratingText(rating, provisional ?? false)}</span>`}<small
        >${about.filter(Boolean).join(' · ')}</small
      ></span
    >
    ${button(app, one)}
  </li>`;
}

function button(app: App, { seek: { seek }, fit, waiter }: ListedSeek): TemplateResult {
  const ask = (message: Outgoing) => void app.gameRequests.ask(message);
  if (fit === 'own') {
    return html`<button data-testid="unseek" @click=${() => ask(waiter ? { t: 'pool.leave' } : { t: 'unseek', seek })}>
      ${say('seeks.withdraw')}
    </button>`;
  }
  if (fit !== 'fits') return html`<span class="not-you">${say('seeks.not-you')}</span>`;
  return html`<button class="main" data-testid="accept" @click=${() => (waiter ? take(app, waiter) : ask({ t: 'accept', seek }))}>
    ${say('seeks.play')}
  </button>`;
}

/**
 * Whoever has just left a game against the person, for example, is not to be taken: the row does not offer it again.
 * Unless it may be refused because of the person's own games, which end.
 */
function take(app: App, waiter: Waiter): void {
  const { user, pool, game, variant } = waiter;
  void app.gameRequests.ask({ t: 'pool.take', user: user.id, pool, game, variant }, ({ isFinal }) => {
    if (isFinal && app.socket.games.length === 0) app.seeks.refused.add(waitKey(waiter));
    return false;
  });
}

/** Empty if anyone may accept. */
function rangeOf({ min_rating: min, max_rating: max }: Seek): string {
  if (min === null && max === null) return '';
  return ratingRange(min, max);
}
