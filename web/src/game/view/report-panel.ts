/** The form to report a player, beside the board: it lies over no part of the game that is played, which goes on. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import type { App } from '../../app';
import type { User } from '../../net/protocol';
import type { ReportForm } from '../../people/report-form';
import { icon } from '../../ui/icons';
import { say } from '../../words/words';

export class ReportPanel {
  private user: User | null = null;
  private form: ReportForm | null = null;
  private readonly panel = createRef<HTMLElement>();
  /** Gets the focus back. */
  private from: HTMLElement | null = null;

  /** `g`: the game. */
  constructor(
    private readonly app: App,
    private readonly g: string,
  ) {}

  /** Open it. What was typed before about the same person is still there. */
  async open(user: User): Promise<void> {
    const { app } = this;
    this.from = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    if (this.form === null || this.user?.id !== user.id) {
      const room = await import('../../people/report-form').catch(() => null);
      if (room === null) return app.say(say('toast.unreachable'));
      this.user = user;
      this.form = new room.ReportForm(app, this.g, () => this.close(), true);
      app.changed();
    }
    // After drawing.
    setTimeout(() => {
      const { value } = this.panel;
      value?.showPopover();
      value?.querySelector<HTMLElement>('select')?.focus();
    });
  }

  draw(): TemplateResult | typeof nothing {
    const { user, form } = this;
    if (user === null || form === null) return nothing;
    return html`<div ${ref(this.panel)} class="report-panel" popover="manual" role="dialog" aria-labelledby="report-title" data-testid="report-panel" @keydown=${this.key}>
      <button class="plain close" aria-label=${say('embed.close')} data-testid="report-close" @click=${() => this.close()}>${icon('cross')}</button>
      ${form.draw(user)}
    </div>`;
  }

  /** Keys here are not the game's. Escape closes this first. */
  private readonly key = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') this.close();
  };

  private close(): void {
    this.panel.value?.hidePopover();
    this.from?.focus({ preventScroll: true });
  }
}
