/** A tile: a watched game with board, players, clocks and result. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { StillBoard } from '../board/still-board';
import { low_ms } from '../game/view/clock-face';
import type { Color } from '../net/protocol';
import { opposite } from '../notation/color';
import { endOf, resultOf } from '../state/result-text';
import { format_ms, left_ms } from '../time/clock';
import { describeSides } from '../time/control-text';
import { delayText } from '../time/delay';
import { personName, personText } from '../ui/person-name';
import { ratingText } from '../ui/rating';
import { sideMark } from '../ui/side-mark';
import { DEFAULT_VARIANT } from '../variants/registry';
import { nameOf, say, SIDES, variantName } from '../words/words';
import { moveNumber, sideShown, simulText, type Mini } from './mini';

export interface TileView {
  mini: Mini;
  board: StillBoard;
  /** Server time. */
  now: number;
  /** Clocks show tenths when low, else whole seconds. */
  tenths: boolean;
  /** By default the host's side at a board of a simul, else White's. */
  bottom?: Color;
  testid?: string;
  /** The simul whose boards it stands for. */
  simul?: { simul: string; boards: number } | null;
}

/** A link to the game; parts are drawn only when they change. */
export function tile(view: TileView): TemplateResult {
  const { mini, board, bottom = sideShown(mini), testid = 'live-game', simul = null } = view;
  const top = opposite(bottom);
  board.show(mini, mini.position, mini.last, bottom);
  const times = { w: timeOf(view, 'w'), b: timeOf(view, 'b') };
  return html`<a
    class="tile-game"
    draggable="false"
    href=${simul === null ? `/game/${mini.g}` : `/simul/${simul.simul}`}
    data-page
    data-testid=${testid}
    data-g=${mini.g}
    data-simul=${simul?.simul ?? nothing}
    data-ply=${mini.ply}
    data-status=${mini.status}
  >
    <span class="unseen"
      >${guard([mini.players, mini.status, mini.turn, mini.result, simul?.boards], () => (simul === null ? '' : `${simulText(simul.boards)}: `) + spoken(mini))}</span
    >
    ${row(mini, top, times[top])} ${board.element} ${row(mini, bottom, times[bottom])}
    ${guard([mini.tc, mini.speed, mini.watchers, mini.status, mini.result, moveNumber(mini.ply), simul?.boards], () => about(mini, simul))}
  </a>`;
}

const row = (mini: Mini, color: Color, time: string | null) =>
  guard([mini.players[color], mini.turn, mini.status, mini.result, time, mini.clock?.run], () => playerLine(mini, color, time));

/** A player with points and clock. */
export function playerLine(mini: Mini, color: Color, time: string | null): TemplateResult {
  const { user, rating, provisional } = mini.players[color];
  const over = mini.status === 'over';
  const runs = !over && mini.clock?.run === color && !mini.clock.held;
  return html`<span class="live-player" aria-hidden="true" data-run=${String(runs)} data-turn=${String(!over && mini.turn === color)}>
    <span class="live-name"
      ><span class="live-who">${sideMark(color)}${user ? personName(user) : say('nobody')}</span>${rating === null
        ? nothing
        : html` <small>${ratingText(rating, provisional ?? false)}</small>`}</span
    >
    ${over ? html`<b class="live-points">${pointsOf(mini, color)}</b>` : nothing}
    ${time === null ? nothing : html`<span class="live-time" data-low=${String(isLow(mini, color, time))}>${time}</span>`}
  </span>`;
}

/** The text of a clock; null without clocks. */
export function timeOf({ mini, now, tenths }: Pick<TileView, 'mini' | 'now' | 'tenths'>, color: Color): string | null {
  const { clock } = mini;
  if (clock === null) return null;
  const ms = mini.status === 'over' ? clock[color] : left_ms(clock, color, now);
  return tenths || ms >= 10_000 ? format_ms(ms) : `0:${String(Math.ceil(ms / 1000)).padStart(2, '0')}`;
}

/** From the shown text, so that it changes only with it. */
function isLow(mini: Mini, color: Color, time: string): boolean {
  const parts = time.split(':').map(Number);
  return mini.clock?.run === color && parts.length === 2 && (parts[0]! * 60 + parts[1]!) * 1000 < low_ms(mini.tc);
}

function about(mini: Mini, simul: TileView['simul']): TemplateResult {
  if (mini.status === 'over' && !simul) {
    return html`<span class="live-about" aria-hidden="true" data-testid="tile-end"><b>${resultOf(mini)}</b> ${endOf(mini)}</span>`;
  }
  const parts = [
    ...(simul ? [simulText(simul.boards)] : [describeSides(mini), say('own.move', { n: moveNumber(mini.ply) })]),
    mini.variant === DEFAULT_VARIANT ? '' : variantName(mini.variant),
    delayText(mini, 'public'),
    mini.watchers ? say('count.watching', { n: mini.watchers }) : '',
  ];
  return html`<span class="live-about" aria-hidden="true">${parts.filter(Boolean).join(' · ')}</span>`;
}

const POINTS = { '1-0': { w: '1', b: '0' }, '0-1': { w: '0', b: '1' }, '1/2-1/2': { w: '½', b: '½' }, '*': { w: '', b: '' } };

const pointsOf = ({ result }: Mini, color: Color): string => POINTS[result]?.[color] ?? '';

/** All of the tile, for screen readers. */
export function spoken(mini: Mini): string {
  const name = (color: Color) => {
    const { user, rating } = mini.players[color];
    const called = user ? personText(user) : say('nobody');
    return rating === null ? called : say('watch.spoken.rated', { name: called, rating });
  };
  const over = mini.status === 'over';
  return [
    say('watch.spoken', { white: name('w'), black: name('b') }),
    `${nameOf('speed', mini.speed)} ${describeSides(mini)}`,
    mini.variant === DEFAULT_VARIANT ? '' : variantName(mini.variant),
    delayText(mini, 'public'),
    over ? `${resultOf(mini)} ${endOf(mini)}` : say('watch.spoken.turn', { side: SIDES[mini.turn] }),
  ]
    .filter(Boolean)
    .join(', ');
}
