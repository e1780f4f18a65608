/** A small static chess board, for lists of games. */

import { html, type TemplateResult } from 'lit-html';
import type { Color } from '../../net/protocol';
import { pieceNameOf } from './piece-names';

/** An image; the caller labels it. `last` is a wire move whose squares are marked. */
export function chessMini(fen: string, last: string | null, bottom: Color = 'w'): TemplateResult {
  const marks = last === null ? [] : [last.slice(0, 2), last.slice(2, 4)];
  return html`<span class="mini cg-wrap" aria-hidden="true">
    ${marks.map((square) => html`<i class="mini-mark" .style=${area(column(square), row(square), bottom)}></i>`)}
    ${pieces(fen).map(
      ({ sign, x, y }) =>
        html`<piece
          class="${pieceNameOf(sign)} ${sign === sign.toLowerCase() ? 'black' : 'white'}"
          .style=${area(x, y, bottom)}
        ></piece>`,
    )}
  </span>`;
}

interface Standing {
  sign: string;
  /** Counted from the a-file and the eighth rank, from 0. */
  x: number;
  y: number;
}

/** The pieces of a FEN. */
export function pieces(fen: string): Standing[] {
  const found: Standing[] = [];
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((line, y) => {
    let x = 0;
    for (const sign of line) {
      if (/\d/.test(sign)) x += Number(sign);
      else if (pieceNameOf(sign) !== '') found.push({ sign, x: x++, y });
    }
  });
  return found;
}

const column = (square: string) => square.charCodeAt(0) - 97;
const row = (square: string) => 8 - Number(square[1]);

// Set through the DOM: the Content-Security-Policy forbids style attributes.
const area = (x: number, y: number, bottom: Color) =>
  bottom === 'w' ? `grid-area: ${y + 1} / ${x + 1}` : `grid-area: ${8 - y} / ${8 - x}`;
