/** Checkboxes of a simul's variants, grouped by family. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { families, VARIANTS } from '../../variants/registry';
import { shortName } from '../../variants/short-name';
import { nameOf } from '../../words/words';
import { box } from './fields';

/** `set` is called with all chosen variants, in the usual order. */
export function variantBoxes(chosen: readonly string[], set: (variants: string[]) => void): TemplateResult | TemplateResult[] {
  const turn = (variant: string) => (on: boolean) =>
    set(VARIANTS.filter((name) => (name === variant ? on : chosen.includes(name))));
  const boxes = (variants: readonly string[]) =>
    html`<div class="choices">${variants.map((variant) => box(shortName(variant), chosen.includes(variant), turn(variant)))}</div>`;
  const all = families();
  if (all.length === 1) return boxes(VARIANTS);
  return all.map(([game, variants], index) => {
    const n = variants.filter((variant) => chosen.includes(variant)).length;
    return html`<details class="simul-family" data-family=${game} ?open=${index === 0 || n > 0}>
      <summary>${nameOf('family', game)}${n === 0 ? nothing : html` <small>${n}</small>`}</summary>
      ${boxes(variants)}
    </details>`;
  });
}
