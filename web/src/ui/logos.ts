/** Drawings with parts of their own colour, without a label. */

import { html } from 'lit-html';

export const clockMark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <circle class="face" cx="16" cy="17.5" r="11.5" />
    <path class="stroke" d="M16 2v4M12 2h8" />
    <path class="hands" d="M16 17.5V10M16 17.5l-4.6-5.4" />
  </svg>`;

export const gear = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path class="stroke thin" d="M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3" />
    <circle class="knob" cx="15" cy="7" r="2" />
    <circle class="knob" cx="9" cy="12" r="2" />
    <circle class="knob" cx="15" cy="17" r="2" />
  </svg>`;
