/** How a game stands, in words: not there, over, held up, or waiting for a yes to a move. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { squares } from '../moves';
import { inLetters, type Placement } from '../notation';
import type { GameSnapshot } from '../protocol';
import type { Settings } from '../settings';
import { say } from '../words';
import { endOf } from './ending';

type Part = TemplateResult | typeof nothing;

/** Before there is a game to show: it is on its way, or there is none. */
export function absent(missing: boolean): TemplateResult {
  if (!missing) return html`<p class="empty">${say('app.loading')}</p>`;
  return html`<section class="card narrow" data-testid="missing">
    <h1>${say('missing.game')}</h1>
    <p>${say('game.aborted.hint')}</p>
    <a class="button" href="/" data-page>${say('to.lobby')}</a>
  </section>`;
}

export function ending(game: GameSnapshot): Part {
  if (game.status !== 'over') return nothing;
  return html`<p class="end" data-testid="end"><strong data-testid="result">${game.result}</strong> ${endOf(game)}</p>`;
}

export function standing(game: GameSnapshot): Part {
  const why = game.clock?.held;
  if (!why || game.status === 'over') return nothing;
  const text = why === 'pause' ? say('clock.stand.pause') : say('clock.stand.other', { why });
  return html`<p class="held" data-testid="held">${text}</p>`;
}

/** `move` is asked about, on `board`. */
export function confirmation(
  move: string | null,
  board: Placement,
  letters: Settings['letters'],
  answer: (yes: boolean) => void,
): Part {
  if (move === null) return nothing;
  const role = board.get(move.slice(0, 2))?.role ?? 'p';
  const letter = role === 'p' ? '' : inLetters(role.toUpperCase(), letters);
  return html`<p class="offer theirs" data-testid="confirm">
    <span>${say('game.confirm', { move: letter + squares(move).join('–') })}</span>
    <span class="answers">
      <button class="main" data-testid="confirm-yes" @click=${() => answer(true)}>${say('game.confirm.yes')}</button>
      <button data-testid="confirm-no" @click=${() => answer(false)}>${say('game.confirm.no')}</button>
    </span>
  </p>`;
}
