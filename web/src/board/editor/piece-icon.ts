/** A single piece of any game whose board is loaded, as large as its place. */

import { html, type TemplateResult } from 'lit-html';
import type { Piece } from '../../notation/pieces';
import { pieceNameOf } from '../chess/piece-names';
import { pieceClass } from '../ground/ground';
import { groundOf, type VariantRef } from '../grounds';

/** The caller labels it. */
export function pieceIcon(of: VariantRef, piece: Piece): TemplateResult {
  const ground = groundOf(of);
  if (ground === null) {
    const name = `${pieceNameOf(piece.role)} ${piece.color === 'w' ? 'white' : 'black'}`;
    return html`<span class="setup-piece cg-wrap" aria-hidden="true"><piece class=${name}></piece></span>`;
  }
  const star = !(ground instanceof Promise) && ground.holes ? 'star' : '';
  return html`<span class="setup-piece ground ${star}" aria-hidden="true"><b class=${pieceClass(piece)}></b></span>`;
}
