/** What can be done besides moving, as buttons for those who would rather not type the commands. */

import { html, type TemplateResult } from 'lit-html';
import type { Offers } from '../protocol';
import { say, type Key } from '../words';
import { seat, type Table } from './table';

export function textActions(table: Table, command: (word: string) => void): TemplateResult[] {
  const { game } = table;
  const me = seat(table);
  const found: TemplateResult[] = [];
  const add = (name: string, key: (typeof LABELS)[number], word = name) =>
    found.push(html`<button data-testid=${name} @click=${() => command(word)}>${say(key)}</button>`);
  const theirs = (what: keyof Offers) => me !== null && game.offers[what] !== null && game.offers[what] !== me;
  const isOver = game.status === 'over';
  if (table.own.length > 0 && !isOver) {
    if (game.moves.length < 2) add('abort', 'text.abort');
    else add('resign', 'text.resign');
    if (me !== null && game.moves.length >= 2) {
      if (theirs('draw')) add('accept-draw', 'text.accept-draw', 'draw');
      else add('draw', 'text.offer-draw');
      if (game.turn === me) add('claim-draw', 'text.claim-draw', 'claim');
    }
    if (me !== null && game.moves.length > 0) {
      add('takeback', theirs('takeback') ? 'text.accept-takeback' : 'text.takeback');
    }
  }
  if (isOver && me !== null && game.next === null) add('rematch', theirs('rematch') ? 'text.accept-rematch' : 'text.rematch');
  if (theirs('draw') || theirs('takeback') || theirs('rematch')) add('decline', 'text.decline');
  if (game.next) found.push(html`<a class="button" href="/game/${game.next}" data-page>${say('text.next')}</a>`);
  if (isOver) found.push(html`<a class="button" href="/" data-page>${say('text.lobby')}</a>`);
  return found;
}

const LABELS = [
  'text.abort',
  'text.resign',
  'text.accept-draw',
  'text.offer-draw',
  'text.claim-draw',
  'text.takeback',
  'text.accept-takeback',
  'text.decline',
  'text.rematch',
  'text.accept-rematch',
] as const satisfies Key[];
