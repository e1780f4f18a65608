/** Actions as buttons, for those who do not type commands. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { hasHints } from '../state/hints';
import { mayPause } from '../state/pausable';
import { say, type PlainKey } from '../words/words';
import { answerable, asksBack, isPaused, isToMove, seat, type AccessibleGame } from './accessible-game';

interface Action {
  name: string;
  label: PlainKey | null;
  /** In place of `label`. */
  text?: string;
  /** The command; by default the name. */
  word?: string;
}

export function textActions(table: AccessibleGame, command: (word: string) => void): TemplateResult {
  const { game } = table;
  const over = game.status === 'over';
  const buttons = (actions: Action[]) =>
    // Keyed by name: a focused button must not turn into another one.
    repeat(
      actions,
      ({ name }) => name,
      ({ name, label, text, word }) => html`<button data-testid=${name} @click=${() => command(word ?? name)}>${label === null ? text : say(label)}</button>`,
    );
  return html`${buttons([...answers(table), ...waiting(table)])} ${buttons(over ? afterwards(table) : playing(table))}
  ${game.next ? html`<a class="button" href="/game/${game.next}" data-page>${say('text.next')}</a>` : nothing}
  ${over ? html`<a class="button" href="/" data-page>${say('text.lobby')}</a>` : nothing}`;
}

function answers(table: AccessibleGame): Action[] {
  const { length, 0: only } = answerable(table);
  return answerable(table).flatMap((kind): Action[] => [
    { name: `accept-${kind}`, label: `text.accept-${kind}`, word: `accept ${kind}` },
    { name: length === 1 && only === kind ? 'decline' : `decline-${kind}`, label: `text.decline-${kind}`, word: `decline ${kind}` },
  ]);
}

/** What has come up: an absent opponent, a premove, a request of one's own. */
function waiting(table: AccessibleGame): Action[] {
  const { game, away_ms, premove } = table;
  const found: Action[] = [];
  if (game.status === 'over') return found;
  if (away_ms === 0) {
    found.push(
      { name: 'claim-left-win', label: 'left.win', word: 'claim win' },
      { name: 'claim-left-draw', label: 'left.draw', word: 'claim draw' },
    );
  }
  if (premove !== null) found.push({ name: 'cancel', label: 'text.cancel' });
  else if (asksBack(table)) found.push({ name: 'cancel-takeback', label: 'text.cancel-takeback', word: 'cancel' });
  return found;
}

function playing(table: AccessibleGame): Action[] {
  const { game, own, away_ms } = table;
  const me = seat(table);
  if (own.length === 0) return [];
  if (table.laws !== null) return table.laws.buttons(table).map((button) => ({ ...button, label: null }));
  const begun = game.moves.length >= 2;
  const found: Action[] = [begun ? { name: 'resign', label: 'text.resign' } : { name: 'abort', label: 'text.abort' }];
  if (me === null) return [...found, ...pause(table)];
  if (begun && game.offers.draw === null) found.push({ name: 'draw', label: 'text.offer-draw' });
  if (begun && game.turn === me && away_ms === null) found.push({ name: 'claim-draw', label: 'text.claim-draw', word: 'claim' });
  if (game.moves.length > 0 && game.offers.takeback === null) found.push({ name: 'takeback', label: 'text.takeback' });
  if (hasHints(game, own) && isToMove(table)) found.push({ name: 'hint', label: 'do.hint' });
  return [...found, ...pause(table)];
}

function pause(table: AccessibleGame): Action[] {
  if (!mayPause(table.game, table.own)) return [];
  const paused = isPaused(table);
  return [{ name: 'pause', label: paused ? 'do.resume' : 'do.pause', word: paused ? 'resume' : 'pause' }];
}

function afterwards({ game, own }: AccessibleGame): Action[] {
  if (own.length === 0 || game.simul !== null) return [];
  const found: Action[] = [];
  if (game.next === null && game.offers.rematch === null) found.push({ name: 'rematch', label: 'text.rematch' });
  if (own.length === 1) found.push({ name: 'new', label: 'do.new' });
  return found;
}
