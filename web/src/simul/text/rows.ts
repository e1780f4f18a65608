/** Simuls as rows of a list. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SimulCard } from '../../net/protocol';
import { describe } from '../../time/control-text';
import { personName } from '../../ui/person-name';
import { instant } from '../../words/dates';
import { nameOf, say, variantName } from '../../words/words';
import { pointsOf } from '../state/host-pace';
import { scoreText } from './score-text';
import { timeUntil } from './time-until';

/** Most variants that are named. */
const MOST_NAMED = 3;

export function simulRows(cards: readonly SimulCard[], now: number): TemplateResult {
  return html`<ul class="rows" data-testid="simul-list">
    ${repeat(
      cards,
      ({ simul }) => simul,
      (card) => html`<li>${row(card, now)}</li>`,
    )}
  </ul>`;
}

function row(card: SimulCard, now: number): TemplateResult {
  return html`<a class="row" href="/simul/${card.simul}" data-page data-testid="simul-row">
    <span class="row-main"
      ><strong>${card.name}</strong> <small>${personName(card.host)} · ${inShort(card)}</small>
      ${scoreOf(card)}</span
    >
    <span class="row-end"
      ><span class="simul-status" data-status=${card.status}>${nameOf('simuls.status', card.status)}</span> <small>${end(card, now)}</small></span
    >
  </a>`;
}

/** The terms in short: `10+5 · a round · Standard · casual`. */
export function inShort(simul: SimulCard): string {
  const { variants } = simul;
  return [
    describe(simul.tc),
    nameOf('simul.mode.short', simul.mode),
    variants.length > MOST_NAMED ? say('simuls.variants', { n: variants.length }) : variants.map(({ variant }) => variantName(variant)).join(', '),
    say(simul.rated ? 'game.rated' : 'game.casual'),
  ].join(' · ');
}

/** How it stands: who takes part, or wins, draws and losses, since points out of all would read as seats taken. */
export function scoreOf({ status, score, players, applicants, max_boards }: SimulCard): TemplateResult | typeof nothing {
  if (status === 'created') {
    const parts = [say('simuls.seats', { n: players, all: max_boards }), applicants > 0 ? say('simuls.waiting', { n: applicants }) : ''];
    return html`<small>${parts.filter(Boolean).join(' · ')}</small>`;
  }
  if (status === 'cancelled' || pointsOf(score).of === 0) return nothing;
  return html`<small title=${say('simul.score.games')}>${scoreText(score)}</small>`;
}

function end({ status, score, boards, start_at, finished }: SimulCard, now: number): string {
  if (status === 'created') return start_at === null ? '' : timeUntil(start_at, now);
  if (status === 'running') return say('simul.left', { n: score.live, all: boards });
  return finished === null ? '' : instant(finished);
}
