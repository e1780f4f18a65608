/** Short messages in a corner, which do not take the focus. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { say } from '../words/words';

export interface ToastLink {
  href: string;
  label: string;
}

/** A button; the first one is the main one. */
export interface ToastAct {
  label: string;
  run(): void;
}

interface Toast {
  id: number;
  text: string;
  link: ToastLink | undefined;
  acts: readonly ToastAct[];
}

/** Long enough to read two lines and to reach the link. */
const SHOWN_FOR_MS = 7_000;
/** For a decision. */
const ACT_SHOWN_FOR_MS = 15_000;
/** It does not go from under a pointer or the focus: after this time, it tries again. */
const HELD_MS = 1_000;
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
  /** The toast under the pointer or with the focus. */
  private held: number | null = null;
  /** What toasts have linked to, so that it need not be announced again. */
  private readonly told = new Set<string>();

  constructor(private readonly changed: () => void) {}

  add(text: string, link?: ToastLink, acts: readonly ToastAct[] = []): void {
    if (!text) return;
    const id = this.next++;
    this.shown = [...this.shown.filter((toast) => toast.text !== text), { id, text, link, acts }].slice(-MOST);
    if (link) this.told.add(link.href);
    setTimeout(() => this.expire(id), acts.length > 0 ? ACT_SHOWN_FOR_MS : SHOWN_FOR_MS);
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
      ({ id, text, link, acts }) =>
        html`<div
          class="toast"
          data-testid="said"
          @pointerenter=${() => (this.held = id)}
          @pointerleave=${() => (this.held = null)}
          @focusin=${() => (this.held = id)}
          @focusout=${() => (this.held = null)}
        >
          <span>${text}</span>
          ${acts.map(
            (act, index) =>
              html`<button class=${index === 0 ? 'main' : ''} data-testid=${index === 0 ? 'said-act' : 'said-other'} @click=${() => this.run(id, act)}>${act.label}</button>`,
          )}
          ${link ? html`<a href=${link.href} data-page @click=${() => this.remove(id)}>${link.label}</a>` : nothing}
          <button class="plain" aria-label=${say('toast.close')} @click=${() => this.remove(id)}>×</button>
        </div>`,
    )}`;
  }

  private run(id: number, act: ToastAct): void {
    this.remove(id);
    act.run();
  }

  private expire(id: number): void {
    if (this.held === id) setTimeout(() => this.expire(id), HELD_MS);
    else this.remove(id);
  }

  private remove(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
    this.changed();
  }
}
