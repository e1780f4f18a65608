/** The moves of a game as its score, and its end in words. */

import { html, type TemplateResult } from 'lit-html';
import type { GameSnapshot } from '../protocol';

const REASONS: Record<string, string> = {
  checkmate: 'checkmate',
  stalemate: 'stalemate',
  dead_position: 'neither side can mate',
  resignation: 'resignation',
  timeout: 'time is out',
  timeout_draw: 'time is out, but the opponent cannot mate',
  agreement: 'by agreement',
  threefold: 'the position came up three times',
  fivefold: 'the position came up five times',
  fifty_moves: 'fifty moves without capture or pawn move',
  seventyfive_moves: 'seventy-five moves without capture or pawn move',
  abandoned: 'a player left',
  aborted: 'aborted',
  claim: 'claimed, the opponent had left',
};

export function endOf(game: GameSnapshot): string {
  return game.reason === null ? '' : (REASONS[game.reason] ?? game.reason.replaceAll('_', ' '));
}

export function scoreSheet(game: GameSnapshot): TemplateResult {
  // A game from a position with Black to move begins with "1. …".
  const late = game.moves.length % 2 === 0 ? game.turn === 'b' : game.turn === 'w';
  const cells = late ? ['…', ...game.notation] : game.notation;
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) => cells.slice(2 * i, 2 * i + 2));
  return html`<ol class="score" data-testid="moves" data-plies=${game.moves.length}>
    ${rows.map((row) => html`<li><span>${row[0]}</span><span>${row[1] ?? ''}</span></li>`)}
  </ol>`;
}
