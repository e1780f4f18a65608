/** Short messages in a corner, which do not take the focus. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { say } from '../words/words';

interface Toast {
  id: number;
  text: string;
  link: { href: string; label: string } | undefined;
}

/** Long enough to read two lines and to reach the link. */
const SHOWN_FOR_MS = 7_000;
/** More would cover the board on a phone. */
const MOST = 3;

/** Keep `region`, which holds the toasts, in the topmost modal dialog: all that is outside of it is inert. */
export function keepInReach(region: HTMLElement): void {
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (region.parentElement !== place) place.append(region);
}

export class Toasts {
  private shown: Toast[] = [];
  private next = 1;
  /** What toasts have linked to, so that it need not be announced again. */
  private readonly told = new Set<string>();

  constructor(private readonly changed: () => void) {}

  add(text: string, link?: Toast['link']): void {
    if (!text) return;
    const id = this.next++;
    this.shown = [...this.shown.filter((toast) => toast.text !== text), { id, text, link }].slice(-MOST);
    if (link) this.told.add(link.href);
    setTimeout(() => this.remove(id), SHOWN_FOR_MS);
    this.changed();
  }

  hasTold(href: string): boolean {
    return this.told.has(href);
  }

  /** Drop toasts that link to `href`: the person is there, or it is settled. */
  drop(href: string): void {
    if (!this.shown.some(({ link }) => link?.href === href)) return;
    this.shown = this.shown.filter(({ link }) => link?.href !== href);
    this.changed();
  }

  draw(): TemplateResult {
    return html`${repeat(
      this.shown,
      ({ id }) => id,
      ({ id, text, link }) =>
        html`<div class="toast" data-testid="said">
          <span>${text}</span>
          ${link ? html`<a href=${link.href} data-page @click=${() => this.remove(id)}>${link.label}</a>` : nothing}
          <button class="plain" aria-label=${say('toast.close')} @click=${() => this.remove(id)}>×</button>
        </div>`,
    )}`;
  }

  private remove(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
    this.changed();
  }
}
