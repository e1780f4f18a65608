/** A player's row: name, presence, material, clock. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { pieceNameOf } from '../../board/chess/piece-names';
import type { Material } from '../../board/material';
import type { Color, GameSnapshot, User } from '../../net/protocol';
import { botMark } from '../../ui/person-name';
import { ratingChange, ratingText } from '../../ui/rating';
import { say, SIDES } from '../../words/words';
import type { ClockFace } from './clock-face';

/** Characters beyond which a name takes two lines of a narrow row. */
const LONG_NAME = 11;

export interface PlayerParts {
  game: GameSnapshot;
  color: Color;
  place: 'top' | 'bottom';
  material: Material;
  clock: ClockFace;
  /** Beside the rating. */
  note: string;
  /** Beside the clock. */
  more: TemplateResult | typeof nothing;
  /** The name, with its menu. */
  about: (user: User, color: Color) => TemplateResult;
  flag: (country: string) => TemplateResult | typeof nothing;
}

export function playerRow({ game, color, place, material, clock, note, more, about, flag }: PlayerParts): TemplateResult {
  const { user, online, country } = game.players[color];
  const toMove = game.status !== 'over' && game.turn === color;
  const presence = say(online ? 'game.here' : 'game.away');
  const enemy = color === 'w' ? 'black' : 'white';
  return html`<div class="player ${place} ${toMove ? 'to-move' : ''}" data-testid="player-${color}">
    <span class="dot" role="img" data-online=${String(online ?? false)} aria-label=${presence} title=${presence}></span>
    <span class="who-is">
      <span class="name ${(user?.name.length ?? 0) > LONG_NAME ? 'long' : ''}">
        ${country === undefined ? nothing : flag(country)} ${user ? about(user, color) : say('nobody')}
      </span>
      <span class="side">
        <span>${ratingOf(game, color)} ${SIDES[color]}${user ? botMark(user) : nothing} ${note === '' ? nothing : html`<span class="player-note" data-testid="note-${color}">· ${note}</span>`} ${clock.more}</span>
        <span
          class="material cg-wrap"
          role=${material.ahead > 0 ? 'img' : nothing}
          aria-label=${material.ahead > 0 ? say('game.ahead', { n: material.ahead }) : nothing}
        >
          ${material.more.map(
            (role, index) =>
              html`<piece class="${pieceNameOf(role)} ${enemy} ${role === material.more[index - 1] ? 'again' : ''}"></piece>`,
          )}
          ${material.ahead > 0 ? html`<b>+${material.ahead}</b>` : nothing}
        </span>
      </span>
    </span>
    ${more} ${game.clock === null ? nothing : clock.element}
  </div>`;
}

/** At the start, and the change of a rated game. */
function ratingOf({ players, ratings }: GameSnapshot, color: Color): TemplateResult | typeof nothing {
  const { rating, provisional } = players[color];
  if (rating === null) return nothing;
  const after = ratings?.[color];
  return html`<span class="rating" data-testid="rating-${color}"
    >${ratingText(rating, provisional ?? false)}${after === undefined
      ? nothing
      : html` <span class="rating-change" data-up=${String(after >= rating)} data-testid="change-${color}"
            ><span class="unseen">${say('rating.change')}</span>${ratingChange(rating, after)}</span
          >`}</span
  >`;
}
