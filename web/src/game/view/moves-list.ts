/** The moves of a game; each can be clicked. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { writeMove, type WritingStyle } from '../../notation/write-move';
import { resultOf } from '../../state/result-text';
import { icon, type IconName } from '../../ui/icons';
import { gameOf } from '../../variants/registry';
import { say } from '../../words/words';

/** Keeps the current move centred in the list. */
export class CurrentMoveScroller {
  private list: HTMLElement | null = null;
  private at = '';
  /** The list's size depends on what is around it. */
  private readonly room = new ResizeObserver(() => this.put());

  /** `at` identifies the move; nothing scrolls while it is the same. */
  keep(root: HTMLElement, at: string): void {
    const list = root.querySelector<HTMLElement>('.score');
    if (list !== this.list) {
      this.room.disconnect();
      if (list) this.room.observe(list);
      this.list = list;
    } else if (at === this.at) return;
    this.at = at;
    this.put();
  }

  close(): void {
    this.room.disconnect();
  }

  private put(): void {
    const { list } = this;
    const now = list?.querySelector<HTMLElement>('[aria-current]');
    if (!list) return;
    list.scrollTop = now ? now.offsetTop + (now.offsetHeight - list.clientHeight) / 2 : 0;
    list.scrollLeft = now ? now.offsetLeft + (now.offsetWidth - list.clientWidth) / 2 : 0;
  }
}

/** `shown`: half-moves on the displayed board; `go` changes it. */
export function movesList(
  game: GameSnapshot,
  shown: number,
  writing: WritingStyle,
  go: (ply: number) => void,
): unknown {
  const { letters, notation } = writing;
  return guard([game.notation, game.fen, game.result, shown, letters, notation], () => list(game, shown, writing, go));
}

function list(game: GameSnapshot, shown: number, writing: WritingStyle, go: (ply: number) => void): TemplateResult {
  const plies = game.notation.length;
  // If the side that usually moves second moves first, the score starts with "1. …".
  const first = plies % 2 === 0 ? game.turn : opposite(game.turn);
  const late = first !== gameOf(game.variant).begins;
  const cells = late ? [null, ...game.notation.keys()] : [...game.notation.keys()];
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) => cells.slice(2 * i, 2 * i + 2));
  const cell = (index: number | null | undefined) => {
    if (index === undefined) return nothing;
    if (index === null) return html`<span class="ply">…</span>`;
    const now = index + 1 === shown;
    return html`<button class="ply" aria-current=${now ? 'step' : nothing} @click=${() => go(index + 1)}>
      <span>${writeMove(game.moves[index] ?? '', game.notation[index] ?? '', writing)}</span>
    </button>`;
  };
  return html`<ol class="score" data-testid="moves" data-plies=${plies} data-shown=${shown} aria-label=${say('moves.name')}>
    ${plies === 0 ? html`<li class="none">${say('moves.none')}</li>` : nothing}
    ${rows.map((row) => html`<li>${cell(row[0])}${cell(row[1])}</li>`)}
    ${game.result === '*' ? nothing : html`<li class="outcome"><b>${resultOf(game)}</b></li>`}
  </ol>`;
}

/** First, previous, next, last; `over`: no newer move will come, so the last is not live. */
export function stepper(plies: number, shown: number, over: boolean, go: (ply: number) => void): TemplateResult {
  const step = (name: 'first' | 'back' | 'on' | 'last', picture: IconName, to: number, off: boolean) =>
    html`<button
      class="plain"
      data-testid="step-${name}"
      aria-label=${say(`moves.${name}`)}
      ?disabled=${off}
      @click=${() => go(to)}
    >
      ${icon(picture)}
    </button>`;
  const [start, end] = [shown === 0, shown === plies];
  return html`<div class="stepper">
    ${step('first', 'first', 0, start)} ${step('back', 'previous', shown - 1, start)} ${step('on', 'following', shown + 1, end)}
    ${end || over
      ? step('last', 'last', plies, end)
      : html`<button class="main" data-testid="live-again" @click=${() => go(plies)}>${say('moves.live')}</button>`}
  </div>`;
}
