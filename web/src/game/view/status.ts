/** A game's status in words: loading, missing, over, held, or waiting for confirmation. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { tellFirstMove } from '../../access/first-move-notices';
import { waitingKings } from '../../board/draughts/waiting-kings';
import type { Color, GameSnapshot } from '../../net/protocol';
import type { Placement } from '../../notation/pieces';
import { writePlain, type WritingStyle } from '../../notation/write-move';
import { endOf, outcome, resultOf } from '../../state/result-text';
import { HELD_BY_DELAY } from '../../time/delay';
import { icon } from '../../ui/icons';
import { authLink } from '../../ui/login-links';
import { message } from '../../ui/message';
import { ratingChange } from '../../ui/rating';
import { say, type PlainKey } from '../../words/words';
import { firstMoveLeft_ms } from '../play/first-move';

type Part = TemplateResult | typeof nothing;

/** A limit further away is not shown yet: on the star it counts from the first move. */
const NEAR_MOVES = 50;

const SIMUL_HOLDS: readonly string[] = ['round', 'countdown', 'untimed', 'break', 'host_away'];

/** Before there is a game: loading, or missing. */
export function loadingOrMissing(missing: boolean): TemplateResult {
  if (!missing) return html`<p class="empty">${say('app.loading')}</p>`;
  return html`<div data-testid="missing">${message(say('missing.game'), say('game.aborted.hint'))}</div>`;
}

/** How the game ended, beside the board, where a click may be on its way. `me`: the player; null for spectators. */
export function ending(game: GameSnapshot, me: Color | null): Part {
  if (game.status !== 'over') return nothing;
  return html`<div class="end" data-testid="end">
    <p class="outcome" data-testid="outcome">${outcome(game, me)}</p>
    <p><strong data-testid="result">${resultOf(game)}</strong> <span>${endOf(game)}</span></p>
    ${me === null ? nothing : ratingNow(game, me)}
  </div>`;
}

/** The change of the player's rating, or why there is none. */
function ratingNow({ players, ratings, unrated }: GameSnapshot, me: Color): Part {
  const before = players[me].rating;
  const after = ratings?.[me];
  const changed = before === null || after === undefined ? '' : say('rating.now', { rating: after, change: ratingChange(before, after) });
  const text = unrated ? say(`unrated.${unrated}`) : changed;
  return text === '' ? nothing : html`<p data-testid="rating-now">${text}</p>`;
}

/** Moves left until the rules end the game as a draw; nothing while no limit is near. */
export function drawIn({ draw_in, status }: GameSnapshot): Part {
  if (draw_in === undefined || draw_in > NEAR_MOVES || status === 'over') return nothing;
  return html`<span title=${say('game.draw-in.long')} data-testid="draw-in">${say('game.draw-in', { n: draw_in })}</span>`;
}

/** Kings that may not move now, though they could. */
export function kingsNotice(game: GameSnapshot): Part {
  const text = waitingKings(game);
  return text === '' ? nothing : html`<p class="offer" role="status" data-testid="king-waits">${text}</p>`;
}

const HELD_TEXTS: Readonly<Record<string, PlainKey>> = {
  pause: 'clock.stand.pause',
  restart: 'clock.stand.restart',
  storage: 'clock.stand.storage',
};

/** Why the clocks are held, or moves left until a draw. */
export function heldNotice(game: GameSnapshot): Part {
  const why = game.clock?.held;
  // Holds of a simul are shown in its strip; the public delay is shown with the facts about the game.
  if (!why || why === HELD_BY_DELAY || game.status === 'over' || (game.simul !== null && SIMUL_HOLDS.includes(why))) {
    const limit = drawIn(game);
    return limit === nothing ? nothing : html`<p class="offer">${limit}</p>`;
  }
  return html`<p class="offer" data-testid="held">${say(HELD_TEXTS[why] ?? 'clock.stand.other')}</p>`;
}

/** How long the side to move has for its first move; `own`: the sides that the person plays. */
export function firstMoveNotice(game: GameSnapshot, own: readonly Color[], now: number): Part {
  const left_ms = firstMoveLeft_ms(game, now);
  if (left_ms === null) return nothing;
  const mine = own.length === 1 && own[0] === game.turn;
  return html`<p class="offer ${mine ? 'theirs' : ''}" data-testid="first-move">${tellFirstMove(game, own, left_ms)}</p>`;
}

/** The premove, and the way to cancel it. */
export function premoveNotice(move: string, cancel: () => void): Part {
  return html`<p class="offer" data-testid="premove">
    <span>${say('game.premove', { move })}</span>
    <span class="answers">
      <button class="plain" aria-label=${say('game.premove.cancel')} data-testid="premove-cancel" @click=${cancel}>${icon('cross')}<span>${say('form.cancel')}</span></button>
    </span>
  </p>`;
}

/** For a player who was logged out during the game: the way back. */
export function loggedOutNotice(): TemplateResult {
  return html`<p class="offer theirs" data-testid="logged-out">
    <span>${say('game.logged-out')}</span>
    <span class="answers"><a class="button main" href=${authLink('/login', location.pathname)} data-page>${say('login.title')}</a></span>
  </p>`;
}

/** Confirmation of `move`, made on `board`. */
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
