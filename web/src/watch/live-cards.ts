/** Running games as small boards with clocks. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { miniBoard } from '../board/mini-board';
import type { Color, LiveGame } from '../net/protocol';
import type { ServerTime } from '../net/server-time';
import { opposite } from '../notation/color';
import { format_ms, left_ms } from '../time/clock';
import { describeSides } from '../time/control-text';
import { personName } from '../ui/person-name';
import { ratingText } from '../ui/rating';
import { sideMark } from '../ui/side-mark';
import { DEFAULT_VARIANT } from '../variants/registry';
import { say, variantName } from '../words/words';
import { moveNumber, sideShown, simulText } from './mini';

export function liveList(games: readonly LiveGame[], time: ServerTime): TemplateResult {
  if (games.length === 0) return html`<p class="empty" data-testid="no-live">${say('live.empty')}</p>`;
  return html`<ul class="live-games" data-testid="live">
    ${repeat(
      games,
      ({ g }) => g,
      (game) => html`<li>${liveCard(game, time)}</li>`,
    )}
  </ul>`;
}

/** One of them; the boards of a simul are one. */
export function liveCard(game: LiveGame, time: ServerTime): TemplateResult {
  const bottom = sideShown(game);
  const { simul, boards } = game;
  const several = simul !== undefined && boards !== undefined;
  const about = [
    ...(several ? [simulText(boards)] : [describeSides(game), say('own.move', { n: moveNumber(game.plies) })]),
    game.variant === DEFAULT_VARIANT ? '' : variantName(game.variant),
    game.watchers ? say('count.watching', { n: game.watchers }) : '',
  ];
  return html`<a class="live-game" href=${several ? `/simul/${simul}` : `/game/${game.g}`} data-page data-testid="live-game">
    ${player(game, opposite(bottom), time)} ${miniBoard(game, game.position, game.last, bottom)} ${player(game, bottom, time)}
    <span class="live-about">${about.filter(Boolean).join(' · ')}</span>
  </a>`;
}

function player(game: LiveGame, color: Color, time: ServerTime): TemplateResult {
  const { user, rating, provisional } = game.players[color];
  const ms = game.clock ? left_ms(game.clock, color, time.now()) : null;
  return html`<span class="live-player" data-run=${String(game.clock?.run === color)}>
    <span class="live-name">${sideMark(color)}${personName(user)}${rating === null ? nothing : html` <small>${ratingText(rating, provisional ?? false)}</small>`}</span>
    ${ms === null ? nothing : html`<span class="live-time">${format_ms(Math.max(1000, ms))}</span>`}
  </span>`;
}
