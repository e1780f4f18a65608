/** The flags beside the players' names. Their code is loaded with the first one: few people show a country. */

import { html, type nothing, type TemplateResult } from 'lit-html';
import type { flag } from '../../people/flag';

export class Flags {
  private flag: typeof flag | null = null;
  private loading = false;

  constructor(private readonly changed: () => void) {}

  /** `country`: a code. It keeps its place until the flag is there. */
  draw(country: string): TemplateResult | typeof nothing {
    if (this.flag !== null) return this.flag(country);
    if (!this.loading) void this.load();
    return html`<span class="flag"></span>`;
  }

  private async load(): Promise<void> {
    this.loading = true;
    try {
      this.flag = (await import('../../people/flag')).flag;
      this.changed();
    } catch {
      this.loading = false; // no network: the next drawing tries again
    }
  }
}
