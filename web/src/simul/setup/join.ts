/** Joining and leaving a simul. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { OfferedVariant, Outgoing, SimulMessage, SimulSnapshot } from '../../net/protocol';
import { say, variantName } from '../../words/words';
import { StandIn } from './stand-in';

export class JoinForm {
  private chosen = 0;
  private busy = false;
  private readonly standIn: StandIn;
  /** How the person was removed. */
  private sent: 'rejected' | 'kicked' | null = null;

  constructor(
    private readonly app: App,
    private readonly simul: string,
  ) {
    this.standIn = new StandIn(app, simul);
  }

  /** `message` was applied; it may be about the person. */
  received(message: SimulMessage): void {
    const { t } = message;
    const about = 'user' in message ? message.user.id : undefined;
    if (about !== this.app.socket.user?.id) return;
    if (t === 'simul.rejected' || t === 'simul.kicked') this.sent = t === 'simul.kicked' ? 'kicked' : 'rejected';
    else if (t === 'simul.joined' || t === 'simul.accepted') this.sent = null;
  }

  draw(now: SimulSnapshot): TemplateResult | typeof nothing {
    const { you } = now;
    if (you === 'host') return nothing;
    if (you === null) return this.ask(now);
    if (you !== 'applicant' && now.status === 'running') return nothing;
    if (you === 'stand_in') return this.standIn.draw(now);
    return html`<p role="status" data-testid="simul-you">${say(`simul.you.${you}`)}</p>
      <div class="buttons"><button data-testid="simul-leave" ?disabled=${this.busy} @click=${() => this.send({ t: 'simul.leave' })}>${say('simul.leave')}</button></div>`;
  }

  private ask({ variants, status, late_join }: SimulSnapshot): TemplateResult | typeof nothing {
    if (status === 'running' && late_join === null) return nothing;
    const join = () => {
      const wanted: OfferedVariant | undefined = variants[this.chosen];
      void this.send({ t: 'simul.join', ...(variants.length > 1 && wanted ? { game: wanted.game, variant: wanted.variant } : {}) });
    };
    const sent = this.sent === null ? nothing : html`<p role="status" data-testid="simul-sent">${say(`simul.sent.${this.sent}`)}</p>`;
    if (this.sent === 'kicked') return sent;
    return html`${sent}<div class="buttons">
      ${variants.length > 1
        ? html`<select
            data-testid="join-variant"
            aria-label=${say('simul.join.variant')}
            @change=${(event: Event) => (this.chosen = (event.target as HTMLSelectElement).selectedIndex)}
          >
            ${variants.map(({ variant }, index) => html`<option ?selected=${index === this.chosen}>${variantName(variant)}</option>`)}
          </select>`
        : nothing}
      <button class="main" data-testid="simul-join" ?disabled=${this.busy} @click=${join}>${say('simul.join')}</button>
    </div>`;
  }

  private async send(message: Outgoing): Promise<void> {
    const { app, simul } = this;
    if (this.busy) return;
    this.busy = true;
    app.changed();
    await app.attempt(async () => {
      await app.session.ensure();
      return app.change({ ...message, simul });
    });
    this.busy = false;
    app.changed();
  }
}
