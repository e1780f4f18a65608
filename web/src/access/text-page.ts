/** Text mode: headings, live regions, one input, the board as letters. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Choosable, GameKind } from '../board/core/game-kind';
import type { Color, GameSnapshot } from '../net/protocol';
import { tellNotation, type Utterance } from '../notation/tell-move';
import { describeSides } from '../time/control-text';
import { personText } from '../ui/person-name';
import { ratingChange } from '../ui/rating';
import { say, SIDES, variantName, type Key } from '../words/words';
import { tellAway } from './absence-notices';
import { isLive, type AccessibleGame } from './accessible-game';
import { tellFirstMove } from './first-move-notices';
import { sentences } from './sentences';
import { moverOf, tellEnd, tellLast, tellOffers, tellShown, tellSide, tellState, tellTime, tellUci } from './tell';
import { textActions } from './text-actions';

export interface TextPageParts {
  /** The last moves, in words. */
  told: readonly Utterance[];
  /** The answer to the last command. */
  answered: Utterance;
  /** Other news: neither moves nor offers. */
  noticed: string;
  entry: TemplateResult;
  grid: HTMLElement;
  /** A move that waits for confirmation. */
  asked: TemplateResult | typeof nothing;
  /** The choice of a promotion or a capture. */
  choosing: readonly Choosable[];
  choose(value: string): void;
  leave(): void;
  /** Run the command. */
  command(word: string): void;
  more: TemplateResult | typeof nothing;
}

const COMMANDS = [
  'help.move',
  'help.ahead',
  'help.b',
  'help.c',
  'help.l',
  'help.n',
  'help.u',
  'help.o',
  'help.p',
  'help.s',
  'help.steps',
  'help.flip',
  'help.abort',
  'help.resign',
  'help.draw',
  'help.takeback',
  'help.accept',
  'help.claim',
  'help.left',
  'help.moretime',
  'help.pause',
  'help.hint',
  'help.rematch',
  'help.new',
] as const satisfies Key[];

/** What games by the Laws do not have, or have otherwise. */
const NOT_BY_LAWS: readonly string[] = ['help.ahead', 'help.abort', 'help.draw', 'help.takeback', 'help.claim', 'help.moretime', 'help.pause', 'help.hint'] satisfies Key[];

const BOARD_KEYS = [
  'keys.arrows',
  'keys.enter',
  'keys.rank',
  'keys.piece',
  'keys.o',
  'keys.m',
  'keys.a',
  'keys.x',
  'keys.l',
  'keys.t',
  'keys.steps',
  'keys.f',
  'keys.h',
  'keys.i',
] as const satisfies Key[];

function nameAt({ players }: GameSnapshot, color: Color): string {
  const { user } = players[color];
  return user ? personText(user) : say('nobody');
}

export const gameTitle = (game: GameSnapshot): string =>
  say('text.title', { white: nameAt(game, 'w'), black: nameAt(game, 'b') });

export function textPage(table: AccessibleGame, parts: TextPageParts): TemplateResult {
  const { game, kind, telling } = table;
  const board = kind.placement(table.position);
  return html`<div class="text-mode" data-testid="game" data-status=${game.status} data-seq=${game.seq} ?data-playing=${table.own.length > 0 && game.status !== 'over'}>
    <h1>${gameTitle(game)}</h1>
    <button data-testid="text-mode" @click=${() => parts.leave()}>${say('text.off')}</button>
    <section>
      <h2 id="text-entry">${say('text.entry')}</h2>
      ${parts.entry} ${choice(kind, parts)} ${parts.asked}
      <p class="answer" role="status" data-testid="answer">${sentences([parts.answered])}</p>
    </section>
    <section>
      <h2>${say('text.last')}</h2>
      <p aria-live="assertive" aria-atomic="true" data-testid="last">${sentences(parts.told.length > 0 ? parts.told : [tellLast(game, telling)])}</p>
    </section>
    <section>
      <h2>${say('text.status')}</h2>
      ${game.status === 'over' ? nothing : html`<p data-testid="state">${tellState(table)}</p>`}
      ${table.laws === null ? nothing : html`<p data-testid="laws-lines">${table.laws.lines(table).join(' ')}</p>`}
      <p role="status" data-testid="offers">${tellOffers(table).join(' ')}</p>
      <p role="status" data-testid="notice">${parts.noticed}</p>
      ${table.first_ms === null ? nothing : html`<p data-testid="first-move">${tellFirstMove(game, table.own, table.first_ms)}</p>`}
      ${table.away_ms === null ? nothing : html`<p data-testid="left">${tellAway(table.away_ms)}</p>`}
      ${table.premove === null
        ? nothing
        : html`<p data-testid="premove">${say('ahead.waits', { move: tellUci(table.premove, game.position, telling) })}</p>`}
      ${game.status === 'over' ? html`<p data-testid="end">${tellEnd(game)}</p>` : nothing}
      ${ratings(game)}
    </section>
    <section>
      <h2>${say('text.clocks')}</h2>
      ${game.clock === null
        ? html`<p>${say('told.no-clock')}</p>`
        : (['w', 'b'] as const).map(
            (color) => html`<p>
              ${SIDES[color]}: <span role="timer" data-testid="clock-${color}">${tellTime(table.left_ms(color) ?? 0)}</span>
            </p>`,
          )}
    </section>
    <section>
      <h2>${say('text.actions')}</h2>
      <div class="buttons">${textActions(table, parts.command)}</div>
    </section>
    <section>
      <h2>${say('text.board')}</h2>
      ${isLive(table) ? nothing : html`<p data-testid="looking">${tellShown(game, table.shown, telling)}</p>`} ${parts.grid}
    </section>
    <section>
      <h2>${say('text.pieces')}</h2>
      <p>${tellSide(kind, board, 'w')}.</p>
      <p>${tellSide(kind, board, 'b')}.</p>
    </section>
    <section>
      <h2>${say('text.moves')}</h2>
      <p data-testid="moves" data-plies=${game.moves.length}>${sentences([score(table)])}</p>
    </section>
    <section>
      <h2>${say('text.info')}</h2>
      <dl>
        <dt>${say('text.white')}</dt>
        <dd>${nameAt(game, 'w')}</dd>
        <dt>${say('text.black')}</dt>
        <dd>${nameAt(game, 'b')}</dd>
        <dt>${say('text.time')}</dt>
        <dd>${describeSides(game)}</dd>
        <dt>${say('text.variant')}</dt>
        <dd>${variantName(game.variant)}</dd>
      </dl>
    </section>
    ${parts.more}
    <section>
      <h2 id="commands" tabindex="-1">${say('text.commands')}</h2>
      ${list([...(table.laws?.help() ?? []), ...COMMANDS.flatMap((key) => (table.laws !== null && NOT_BY_LAWS.includes(key) ? [] : command(key, kind)))])}
      <h2>${say('text.board-keys')}</h2>
      ${list(BOARD_KEYS.flatMap((key) => boardKey(key, kind)))}
    </section>
  </div>`;
}

/** The choice of a promotion or a capture, below the input. */
function choice({ hasLines }: GameKind, { choosing, choose }: TextPageParts): TemplateResult | typeof nothing {
  if (choosing.length === 0) return nothing;
  return html`<div class="promoting buttons" role="group" aria-label=${say(hasLines ? 'text.promote' : 'ground.which-way')}>
    ${choosing.map(
      ({ value, label }) =>
        html`<button data-testid="${hasLines ? 'promote' : 'way'}-${value}" @click=${() => choose(value)}>${label}</button>`,
    )}
  </div>`;
}

const list = (texts: readonly string[]): TemplateResult =>
  html`<ul>
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;

/** Help for a command; nothing if the game has no use for it. */
function command(key: (typeof COMMANDS)[number], kind: GameKind): string[] {
  if (kind.hasLines) return [say(key)];
  if (key === 'help.claim') return [];
  if (key === 'help.move') return [say('help.move.squares', { move: kind.example })];
  if (key === 'help.p') return [say('help.p.kinds', { letters: Object.keys(kind.keys).join(', ') })];
  if (key === 'help.b') return [say('help.b.square', { square: kind.lattice.squares[0]! })];
  return [say(key === 'help.s' ? 'help.s.state' : key)];
}

/** Help for a key of the board; nothing if the game has no use for it. */
function boardKey(key: (typeof BOARD_KEYS)[number], kind: GameKind): string[] {
  if (kind.hasLines) return [say(key)];
  if (key === 'keys.arrows') return [say('keys.arrows.squares')];
  if (key === 'keys.piece') return [say('keys.kinds', { letters: Object.keys(kind.keys).join(', ') })];
  return key === 'keys.a' || key === 'keys.x' || key === 'keys.rank' ? [] : [say(key)];
}

/** `1. e4, e5; 2. knight f3` */
function score({ game, telling }: AccessibleGame): Utterance {
  if (game.notation.length === 0) return { text: say('move.none') };
  let number = 1;
  const text = game.notation
    .map((san, ply) => {
      const white = moverOf(game, ply) === 'w';
      const move = tellNotation(game.moves[ply] ?? '', san, telling).text;
      const told = white || ply === 0 ? `${number}${white ? '.' : '…'} ${move}` : move;
      if (!white) number += 1;
      return told + (white ? ', ' : '; ');
    })
    .join('')
    .replace(/[,;] $/, '.');
  return telling.tellMoves === 'de' ? { text, lang: 'de' } : { text };
}

/** Current ratings of both. */
function ratings(game: GameSnapshot): TemplateResult | typeof nothing {
  const told = (['w', 'b'] as const).flatMap((color) => {
    const { rating, provisional } = game.players[color];
    const after = game.ratings?.[color];
    if (rating === null) return [];
    if (after !== undefined) return say('rating.after', { side: SIDES[color], rating: after, change: ratingChange(rating, after) });
    return say(provisional ? 'rating.guess' : 'rating.of', { side: SIDES[color], rating });
  });
  if (game.unrated) told.push(say(`unrated.${game.unrated}`));
  return told.length === 0 ? nothing : html`<p data-testid="ratings">${told.join(' ')}</p>`;
}
