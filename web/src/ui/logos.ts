/** Small drawings without a label of their own. */

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

export const bell = html`<svg class="mark small" viewBox="0 0 24 24" aria-hidden="true">
    <path class="stroke thin" d="M5 17h14c-1.5-1.5-2-3-2-6a5 5 0 0 0-10 0c0 3-.5 4.5-2 6zM10 20a2.2 2.2 0 0 0 4 0" />
  </svg>`;

export const play = html`<svg class="mark place" viewBox="0 0 24 24" aria-hidden="true">
    <circle class="stroke thin" cx="12" cy="7" r="3.5" />
    <path class="stroke thin" d="M9 11h6M10.5 11c0 4-1.5 5.5-3.5 9h10c-2-3.5-3.5-5-3.5-9" />
  </svg>`;

export const eye = html`<svg class="mark place" viewBox="0 0 24 24" aria-hidden="true">
    <path class="stroke thin" d="M2.5 12c5-7.5 14-7.5 19 0-5 7.5-14 7.5-19 0z" />
    <circle class="stroke thin" cx="12" cy="12" r="3" />
  </svg>`;

export const boards = html`<svg class="mark place" viewBox="0 0 24 24" aria-hidden="true">
    <path class="stroke thin" d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z" />
  </svg>`;

export const somebody = html`<svg class="mark small" viewBox="0 0 24 24" aria-hidden="true">
    <circle class="stroke thin" cx="12" cy="8" r="4" />
    <path class="stroke thin" d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
  </svg>`;
