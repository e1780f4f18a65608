/** A search in the chip of the header: leads to the lobby, where the person can see and change it. */

import { html, type TemplateResult } from 'lit-html';
import { icon } from '../../ui/icons';
import { say } from '../../words/words';

export const searchLink = (terms: string): TemplateResult =>
  html`<a class="own-search" href="/" data-page
    >${icon('search')}<span class="own-name" role="status"><span class="unseen">${say('pool.waits')} </span>${terms}</span></a
  >`;
