/** A score as running text with variations and comments; each move can be clicked. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { ImportedLine, ImportedMove } from '../net/protocol';
import { writeMove, type WritingStyle } from '../notation/write-move';
import { say } from '../words/words';
import { glyph, glyphName, isOfMove } from './glyphs';
import type { Node, Score } from './score';

interface Looks {
  score: Score;
  at: Node;
  writing: WritingStyle;
  go(node: Node): void;
}

/** Commands to programs within a comment, as `[%cal Ge2e4]`. */
const COMMAND = /\[%[^\]]*\]/g;

/** Comments without commands to programs. */
export const comments = (texts: readonly string[] = []): string =>
  texts
    .map((text) => text.replace(COMMAND, ' ').replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(' ');

/** `12… Sf6!` */
export function inText(score: Score, node: Node, writing: WritingStyle): string {
  const { move } = node;
  if (move === null) return say('import.start');
  const signs = (move.nags ?? []).filter(isOfMove).map(glyph).join('');
  return say('import.move', { number: score.number(node), move: written(move, writing) + signs });
}

/** `at`: the current move. */
export const scoreList = (score: Score, at: Node, writing: WritingStyle, go: (node: Node) => void): unknown =>
  guard([score, at, writing.letters, writing.notation], () => line({ score, at, writing, go }, score.line));

function line(looks: Looks, { moves, comments: before }: ImportedLine): TemplateResult {
  // A number stands before White's moves, at the start, and after an interruption.
  let numbered = true;
  const parts = moves.map((move) => {
    const drawn = ply(looks, move, numbered);
    numbered = comments(move.comments) !== '' || (move.variations ?? []).length > 0;
    return drawn;
  });
  return html`${comment(before)}${parts}`;
}

function ply(looks: Looks, move: ImportedMove, numbered: boolean): TemplateResult {
  const { score, at, writing, go } = looks;
  const node = score.after(move);
  const number = score.number(node);
  const nags = move.nags ?? [];
  const now = node === at;
  return html`<button class="ply" aria-current=${now ? 'step' : nothing} data-ply=${node.ply} @click=${() => go(node)}>${numbered ||
    number.endsWith('.')
      ? html`<span class="number">${number}</span>`
      : nothing}<span>${written(move, writing)}</span>${nags.filter(isOfMove).map(sign)}</button>${nags
      .filter((nag) => !isOfMove(nag))
      .map(sign)}${move.draw ? html` <span class="sign">(=)</span>` : nothing}${comment(move.comments)}${(move.variations ?? []).map(
      (variation) => aside(looks, variation),
    )}${comment(move.afterwards)}`;
}

function aside(looks: Looks, variation: ImportedLine): TemplateResult {
  return html`<div class="variation" role="group" aria-label=${say('import.variation')}>${line(looks, variation)}</div>`;
}

function comment(texts: readonly string[] | undefined): TemplateResult | typeof nothing {
  const said = comments(texts);
  return said === '' ? nothing : html` <span class="comment">${said}</span> `;
}

/** A glyph; in words for screen readers. */
function sign(nag: number): TemplateResult {
  const name = glyphName(nag);
  return html`<span class="sign" title=${name} aria-hidden="true">${glyph(nag)}</span><span class="unseen"> ${name}</span>`;
}

const written = (move: ImportedMove, writing: WritingStyle): string =>
  /^0+$/.test(move.move) ? say('import.passes') : writeMove(move.move, move.san, writing);
