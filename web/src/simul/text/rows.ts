/** Simuls as rows of a list. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SimulCard } from '../../net/protocol';
import { describe } from '../../time/control-text';
import { personName } from '../../ui/person-name';
import { moment } from '../../words/dates';
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
      ><strong>${card.name}</strong> <span class="simul-status" data-status=${card.status}>${nameOf('simuls.status', card.status)}</span>
      <small>${personName(card.host)} · ${inShort(card)}</small></span
    >
    <span class="row-end">${end(card, now)}</span>
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

function end(card: SimulCard, now: number): TemplateResult {
  const { status, score, players, applicants, max_boards, boards, start_at, finished } = card;
  if (status === 'created') {
    return html`<strong>${say('simuls.seats', { n: players, all: max_boards })}</strong>
      <small>${start_at === null ? say('simuls.waiting', { n: applicants }) : timeUntil(start_at, now)}</small>`;
  }
  if (status === 'cancelled') return html``;
  // Wins, draws and losses: points out of all would read as seats taken.
  return html`${pointsOf(score).of === 0 ? nothing : html`<strong title=${say('simul.score.games')}>${scoreText(score)}</strong>`}
    <small>${status === 'running' ? say('simul.left', { n: score.live, all: boards }) : finished === null ? '' : moment(finished)}</small>`;
}
