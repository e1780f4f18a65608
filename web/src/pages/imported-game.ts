/** An imported game: board, moves with variations, comments, glyphs and clocks. */

import '../styles/imports.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { Board } from '../board/board';
import { CHESS_KIND } from '../board/chess/kind';
import { fenOf } from '../board/chess/position';
import { comments, inText, scoreList } from '../imports/moves';
import { Score, step, type Node } from '../imports/score';
import { dated, known, named } from '../imports/tags';
import type { Color, ImportedGame, ImportedPlayer } from '../net/protocol';
import { opposite } from '../notation/color';
import { pieceName, ROLES, type Placement } from '../notation/pieces';
import { squares } from '../notation/uci';
import { reducesMotion } from '../settings/settings';
import { resultOf } from '../state/result-text';
import { format_ms } from '../time/clock';
import { icon } from '../ui/icons';
import { message } from '../ui/message';
import type { Page } from '../ui/page';
import { Resource } from '../ui/resource';
import { numberOf, variantAt } from '../variants/chess960';
import { DEFAULT_VARIANT } from '../variants/registry';
import { say, SIDES } from '../words/words';

/** Elements that handle keys themselves. */
const OWN_KEYS = 'input, textarea, select, [contenteditable]';
const STEPS = [
  ['first', 'first', 'Home'],
  ['back', 'previous', 'ArrowLeft'],
  ['on', 'following', 'ArrowRight'],
  ['last', 'last', 'End'],
] as const;
/** Tags shown elsewhere on the page. */
const TOLD = ['White', 'Black', 'WhiteElo', 'BlackElo', 'Event', 'Date'];

export class ImportedGamePage implements Page {
  private readonly resource: Resource<ImportedGame>;
  private readonly board = new Board(() => undefined);
  private score: Score | null = null;
  private at: Node | null = null;
  private bottom: Color = 'w';
  /** The move last scrolled into view. */
  private inSight: Node | null = null;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly n: number,
  ) {
    this.board.begin(CHESS_KIND.createBoard);
    this.resource = new Resource(this.address(), () => app.changed());
    document.addEventListener('keydown', this.pressed);
    document.title = say('app.title', { page: say('import.title') });
  }

  close(): void {
    this.resource.close();
    this.board.close();
    document.removeEventListener('keydown', this.pressed);
  }

  draw(root: HTMLElement): void {
    const { value: got, state } = this.resource;
    if (got === null || state === 'missing') {
      const back = html`<a class="button main" href="/import/${this.id}" data-page>${say('import.back')}</a>`;
      render(state === 'missing' ? message(say('import.none'), say('import.none.text'), back) : this.resource.drawPage(), root);
      return;
    }
    if (this.score === null) this.begin(got);
    const at = this.at!;
    this.show(at);
    render(this.body(got, this.score!, at), root);
    if (this.inSight !== at) reveal(root.querySelector('.score-text'));
    this.inSight = at;
  }

  private begin({ game }: ImportedGame): void {
    this.score = new Score(game.fen, game.line);
    this.at = this.score.start;
    const { w, b } = playersOf(game.tags);
    document.title = say('app.title', { page: say('game.title', { white: named(w), black: named(b) }) });
  }

  private address(below = ''): string {
    return `/api/v1/imports/${encodeURIComponent(this.id)}/games/${this.n}${below}`;
  }

  private show(at: Node): void {
    const score = this.score!;
    const { settings } = this.app;
    const move = at.move;
    this.board.setOptions({ input: 'both', animation_ms: reducesMotion(settings.now) ? 0 : settings.now.animation });
    this.board.show({
      fen: fenOf(score.board(at)),
      bottom: this.bottom,
      turn: score.turn(at),
      last: move === null || /^0+$/.test(move.move) ? [] : squares(move.move),
      check: /[+#]$/.test(move?.san ?? ''),
      destinations: null,
    });
  }

  private body(got: ImportedGame, score: Score, at: Node): TemplateResult {
    const { game, name, games } = got;
    const writing = this.app.settings.now;
    const players = playersOf(game.tags);
    const clocks = score.clocks(at);
    const top = opposite(this.bottom);
    const about = [
      known(game.tags.Event),
      dated(game.tags.Date ?? ''),
      game.variant === DEFAULT_VARIANT ? '' : variantAt(game.variant, game.fen === null ? null : numberOf(game.fen)),
    ];
    const where = at.move === null ? say('import.at.start') : say('import.at.move', { move: inText(score, at, writing) });
    const line = (side: Color) => player(side, players[side], clocks[side]);
    return html`<div class="viewer" data-testid="viewer">
      <div class="viewer-head">
        <h1>${say('game.title', { white: named(players.w), black: named(players.b) })}</h1>
        <p class="about">
          ${about.filter(Boolean).map((part) => `${part} · `)}<span class="result">${resultOf(game) || '*'}</span>
        </p>
      </div>
      <div class="viewer-board">
        ${line(top)}
        <div class="field" role="img" aria-label=${say('import.board', { where })} aria-describedby="pieces">${this.board.element}</div>
        <p id="pieces" class="unseen">${pieces(score.board(at))}</p>
        ${line(this.bottom)}
      </div>
      <div class="viewer-side">
        ${this.steps(score, at)} ${this.now(score, at)}
        <section class="card score-text" data-testid="score" aria-label=${say('import.score')} tabindex="0">
          ${scoreList(score, at, writing, (node) => this.go(node))} <b class="result">${resultOf(game) || '*'}</b>
        </section>
        ${tags(game.tags)}
        <p class="about">${say('import.place', { n: got.n, games, name })}</p>
        <div class="buttons">
          ${this.n > 1 ? html`<a class="button" href="/import/${this.id}/${this.n - 1}" data-page data-testid="game-before">${say('import.previous')}</a>` : nothing}
          ${this.n < games ? html`<a class="button" href="/import/${this.id}/${this.n + 1}" data-page data-testid="game-after">${say('import.next')}</a>` : nothing}
          <a class="button" href="/import/${this.id}" data-page data-testid="to-list">${say('import.back')}</a>
        </div>
        <p class="hint keys">${say('import.keys')}</p>
      </div>
    </div>`;
  }

  private steps(score: Score, at: Node): TemplateResult {
    const pgn = say('import.download');
    return html`<div class="viewer-tools">
      ${STEPS.map(([name, picture, key]) => {
        const to = step(score, at, key);
        const label = name === 'last' ? say('import.last') : say(`moves.${name}`);
        return html`<button
          class="plain"
          data-testid="step-${name}"
          aria-label=${label}
          ?disabled=${to === null || to === at}
          @click=${() => to && this.go(to)}
        >
          ${icon(picture)}
        </button>`;
      })}
      <button class="plain" data-testid="flip" aria-label=${say('do.flip')} @click=${() => this.flip()}>${icon('turn')}</button>
      <a class="button plain" data-testid="pgn" href=${this.address('/pgn')} download="game-${this.n}.pgn" aria-label=${pgn}>${icon('save')}</a>
    </div>`;
  }

  /** The current move with its facts, as a status for screen readers. */
  private now(score: Score, at: Node): TemplateResult {
    const { move } = at;
    const about = [
      move?.clock === undefined ? '' : say('import.left', { time: format_ms(move.clock) }),
      move?.spent === undefined ? '' : say('import.spent', { time: format_ms(move.spent) }),
      move?.draw ? say('import.offered') : '',
    ];
    const said = move === null ? comments(score.line.comments) : comments(move.comments);
    return html`<div class="viewer-now" role="status" data-testid="now">
      <strong>${move === null ? say('import.start') : inText(score, at, this.app.settings.now)}</strong>
      <span class="about">${about.filter(Boolean).join(' · ')}</span>
      ${said === '' ? nothing : html`<span>${said}</span>`}
    </div>`;
  }

  private go(node: Node): void {
    this.at = node;
    this.app.changed();
  }

  private flip(): void {
    this.bottom = opposite(this.bottom);
    this.app.changed();
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (this.score === null || this.at === null) return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return;
    if (event.key === 'f') this.flip();
    else {
      const to = step(this.score, this.at, event.key);
      // Arrow keys never scroll the page.
      if (to === null && !/^Arrow(Left|Right)$/.test(event.key)) return;
      event.preventDefault();
      if (to !== null) this.go(to);
    }
  };
}

/** Scroll the current move into view within the list; the page does not scroll. */
function reveal(list: HTMLElement | null): void {
  const now = list?.querySelector<HTMLElement>('[aria-current]');
  if (!list || !now) return;
  const { offsetTop: top, offsetHeight: height } = now;
  const isOut = top < list.scrollTop || top + height > list.scrollTop + list.clientHeight;
  if (isOut) list.scrollTop = top + (height - list.clientHeight) / 2;
}

function playersOf(tags: Record<string, string>): Record<Color, ImportedPlayer> {
  const of = (side: 'White' | 'Black') => {
    const elo = Number(tags[`${side}Elo`]);
    return { name: tags[side] ?? '', elo: Number.isInteger(elo) && elo > 0 ? elo : null };
  };
  return { w: of('White'), b: of('Black') };
}

function player(side: Color, who: ImportedPlayer, clock: number | null): TemplateResult {
  return html`<div class="viewer-player">
    <span><span class="stone" data-color=${side} aria-hidden="true"></span><span class="unseen">${SIDES[side]}:</span> ${named(who)}</span>
    ${clock === null
      ? nothing
      : html`<time data-testid="clock-${side}" aria-label=${say('import.clock', { side: SIDES[side] })} role="timer" aria-live="off">${format_ms(clock)}</time>`}
  </div>`;
}

/** The pieces, for screen readers. */
function pieces(board: Placement): string {
  const of = (color: Color) =>
    ROLES.flatMap((role) => {
      const found = [...board].filter(([, piece]) => piece.color === color && piece.role === role).map(([square]) => square);
      return found.length === 0 ? [] : [`${pieceName({ color, role })} ${found.join(' ')}`];
    });
  return [...of('w'), ...of('b')].join(', ');
}

function tags(all: Record<string, string>): TemplateResult | typeof nothing {
  const others = Object.entries(all).filter(([name, text]) => !TOLD.includes(name) && known(text) !== '');
  if (others.length === 0) return nothing;
  return html`<details class="card" data-testid="tags">
    <summary>${say('import.tags')}</summary>
    <dl class="tags">
      ${others.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}
    </dl>
  </details>`;
}
