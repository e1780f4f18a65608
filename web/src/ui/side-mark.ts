/** A disc in the colour of a side, before a player's name. */

import { html, type TemplateResult } from 'lit-html';
import type { Color } from '../net/protocol';
import { SIDES } from '../words/words';

export const sideMark = (color: Color): TemplateResult =>
  html`<span class="side-mark" data-side=${color} role="img" aria-label=${SIDES[color]} title=${SIDES[color]}></span>`;
