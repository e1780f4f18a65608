/** How a game stands, in words: not there, over, held up, or waiting for a yes to a move. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { GameSnapshot } from '../../net/protocol';
import type { Placement } from '../../notation/pieces';
import { writePlain, type WritingStyle } from '../../notation/write-move';
import { endOf, resultOf } from '../../state/result-text';
import { HELD_BY_DELAY } from '../../time/delay';
import { icon } from '../../ui/icons';
import { authLink } from '../../ui/login-links';
import { message } from '../../ui/message';
import { say, type PlainKey } from '../../words/words';

type Part = TemplateResult | typeof nothing;

/** A limit further off than that is nobody's concern yet: on the star one counts from the first move. */
const NEAR_MOVES = 50;

const SIMUL_HOLDS: readonly string[] = ['round', 'countdown', 'untimed', 'break', 'host_away'];

/** Before there is a game to show: it is on its way, or there is none. */
export function loadingOrMissing(missing: boolean): TemplateResult {
  if (!missing) return html`<p class="empty">${say('app.loading')}</p>`;
  return html`<div data-testid="missing">${message(say('missing.game'), say('game.aborted.hint'))}</div>`;
}

export function ending(game: GameSnapshot): Part {
  if (game.status !== 'over') return nothing;
  return html`<p class="end" data-testid="end"><strong data-testid="result">${resultOf(game)}</strong> ${endOf(game)}</p>`;
}

/** How many moves are left until the rules end it as a draw; nothing while no limit is near. */
export function drawIn({ draw_in, status }: GameSnapshot): Part {
  if (draw_in === undefined || draw_in > NEAR_MOVES || status === 'over') return nothing;
  return html`<span title=${say('game.draw-in.long')} data-testid="draw-in">${say('game.draw-in', { n: draw_in })}</span>`;
}

const HELD_TEXTS: Readonly<Record<string, PlainKey>> = {
  pause: 'clock.stand.pause',
  restart: 'clock.stand.restart',
  storage: 'clock.stand.storage',
};

/** Why no clock runs, or how far the game is from a draw by its rules. */
export function heldNotice(game: GameSnapshot): Part {
  const why = game.clock?.held;
  // What an exhibition stops, its strip tells; that it is shown later is said where the game is described.
  if (!why || why === HELD_BY_DELAY || game.status === 'over' || (game.simul !== null && SIMUL_HOLDS.includes(why))) {
    const limit = drawIn(game);
    return limit === nothing ? nothing : html`<p class="offer">${limit}</p>`;
  }
  return html`<p class="offer" data-testid="held">${say(HELD_TEXTS[why] ?? 'clock.stand.other')}</p>`;
}

/** To who was logged out in the middle of his game: the way back to his seat. */
export function loggedOutNotice(): TemplateResult {
  return html`<p class="offer theirs" data-testid="logged-out">
    <span>${say('game.logged-out')}</span>
    <span class="answers"><a class="button main" href=${authLink('/login', location.pathname)} data-page>${say('login.title')}</a></span>
  </p>`;
}

/** `move` is asked about, on `board`. */
export function confirmation(
  move: string | null,
  board: Placement,
  writing: WritingStyle,
  answer: (yes: boolean) => void,
): Part {
  if (move === null) return nothing;
  return html`<p class="offer theirs" data-testid="confirm">
    <span>${say('game.confirm', { move: writePlain(move, board, writing) })}</span>
    <span class="answers">
      <button class="main" data-testid="confirm-yes" title=${say('game.confirm.yes')} @click=${() => answer(true)}>
        ${icon('yes')}<span>${say('game.confirm.yes')}</span>
      </button>
      <button data-testid="confirm-no" title=${say('game.confirm.no')} @click=${() => answer(false)}>
        ${icon('cross')}<span>${say('game.confirm.no')}</span>
      </button>
    </span>
  </p>`;
}
