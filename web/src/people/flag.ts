/** The flag of a person's country, beside their name. Files, since some systems have no flags among their emoji. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { until } from 'lit-html/directives/until.js';
import { countryName } from './countries';

/** By code, so that a flag which is drawn again does not vanish meanwhile. */
const images = new Map<string, Promise<TemplateResult | typeof nothing>>();

/** Keeps its place until the file is there. `country`: undefined from an older server. */
export function flag(country: string | null | undefined): TemplateResult | typeof nothing {
  if (!country) return nothing;
  const name = countryName(country);
  const image = images.get(country) ?? load(country, name);
  images.set(country, image);
  return html`<span class="flag" title=${name} data-testid="flag">${until(image, nothing)}</span>`;
}

async function load(code: string, name: string): Promise<TemplateResult | typeof nothing> {
  try {
    const { FLAG_FILES } = await import('./flag-files');
    const file = Object.entries(FLAG_FILES).find(([path]) => path.endsWith(`/${code}.svg`))?.[1];
    return file === undefined ? nothing : html`<img src=${file} alt=${name} loading="lazy" />`;
  } catch {
    images.delete(code); // no network: the next drawing tries again
    return nothing;
  }
}
