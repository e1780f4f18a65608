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

export class Toasts {
  private shown: Toast[] = [];
  private next = 1;

  constructor(private readonly changed: () => void) {}

  add(text: string, link?: Toast['link']): void {
    if (!text) return;
    const id = this.next++;
    this.shown = [...this.shown.filter((toast) => toast.text !== text), { id, text, link }].slice(-MOST);
    setTimeout(() => this.remove(id), SHOWN_FOR_MS);
    this.changed();
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
