/** Options of a select, grouped by family. */

import { html, type TemplateResult } from 'lit-html';
import { nameOf } from '../words/words';
import { families } from './registry';
import { shortName } from './short-name';

export function variantOptions(variants: readonly string[], chosen: string): TemplateResult | TemplateResult[] {
  const option = (variant: string) =>
    html`<option value=${variant} ?selected=${variant === chosen}>${shortName(variant)}</option>`;
  const all = families(variants);
  if (all.length === 1) return variants.map(option);
  return all.map(([game, own]) => html`<optgroup label=${nameOf('family', game)}>${own.map(option)}</optgroup>`);
}
