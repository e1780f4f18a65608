/** How a variant is played, as details to open. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { isKey, nameOf, say } from '../words/words';
import { gameOf, plainOf } from './registry';

export function howPlayed(variant: string): TemplateResult | typeof nothing {
  const plain = plainOf(variant);
  // Text about the whole family, or about losing variants.
  const keys = [`how.${plain}`, plain === variant ? `how.${gameOf(variant).game}` : 'how.losing'];
  const texts = keys.filter(isKey).map((key) => nameOf('how', key.slice('how.'.length)));
  if (texts.length === 0) return nothing;
  return html`<details class="how" data-testid="how">
    <summary>${say('how.title')}</summary>
    <p>${texts.join(' ')}</p>
  </details>`;
}
