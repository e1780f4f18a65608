/** The stand-in: what they and the host can do, and what everybody is told. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { SimulSnapshot } from '../../net/protocol';
import { ClickGuard } from '../../ui/click-guard';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';

const CONFIRM_WITHIN_MS = 4_000;

type Request = 'simul.take_over' | 'simul.hand_over' | 'simul.leave';

interface Ask {
  t: Request;
  text: string;
  main?: boolean;
}

export interface StandInNotice {
  text: string;
  /** The request that the person can make, and the text of its button. */
  ask?: Ask;
}

export class StandIn {
  private readonly clickGuard: ClickGuard;
  /** A request is open. */
  private busy = false;
  /** The request that must be confirmed. */
  private confirming: Request | null = null;
  private expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: Pick<App, 'attempt' | 'changed' | 'socket'>,
    private readonly simul: string,
  ) {
    this.clickGuard = new ClickGuard(() => app.changed());
  }

  /** Its status is in the page before there is anything to say, so that screen readers speak it. */
  draw(now: SimulSnapshot): TemplateResult {
    const notice = standInNotice(now);
    const drawn = html`<div class=${notice === null ? 'unseen' : 'simul-stand-in'} data-testid=${notice === null ? nothing : 'stand-in'}>
      <p role="status">${notice?.text ?? nothing}</p>
      ${notice?.ask === undefined ? nothing : this.button(notice.ask)}
    </div>`;
    this.clickGuard.sweep();
    return drawn;
  }

  /** Another request may appear under the pointer: a click counts only after a moment. */
  private button(ask: Ask): TemplateResult {
    const asking = this.confirming === ask.t;
    const ready = this.clickGuard.isReady(asking ? `${ask.t}?` : ask.t) && !this.busy;
    return html`<button
      class=${asking ? 'grave' : ask.main ? 'main' : ''}
      data-testid=${ask.t.slice('simul.'.length)}
      aria-disabled=${ready ? nothing : 'true'}
      @click=${() => ready && void this.click(ask.t)}
    >
      ${asking ? say('do.sure', { what: ask.text }) : ask.text}
    </button>`;
  }

  private async click(t: Request): Promise<void> {
    clearTimeout(this.expiry);
    // To step down is final: only the host can undo it.
    const asks = t === 'simul.leave' && this.confirming !== t;
    this.confirming = asks ? t : null;
    this.expiry = asks ? setTimeout(() => this.calm(), CONFIRM_WITHIN_MS) : undefined;
    this.busy = !asks;
    this.app.changed();
    if (asks) return;
    try {
      await this.app.attempt(() => this.app.socket.change({ t, simul: this.simul }));
    } finally {
      this.busy = false;
      this.app.changed();
    }
  }

  private calm(): void {
    this.confirming = null;
    this.app.changed();
  }
}

/** What the person is told about the stand-in; null: nothing. */
export function standInNotice(now: SimulSnapshot): StandInNotice | null {
  const { stand_in, acting, offered, you, away_since } = now;
  if (!stand_in) return null;
  const names = { name: personText(stand_in), host: personText(now.host) };
  const notice = (text: string, t?: Request, label = '', main = false): StandInNotice => (t === undefined ? { text } : { text, ask: { t, text: label, main } });
  if (acting) {
    if (you === 'host') return notice(say('simul.stand-in.acts', names), 'simul.take_over', say('simul.stand-in.take-back'), true);
    if (you === 'stand_in') return notice(say('simul.stand-in.you', names), 'simul.hand_over', say('simul.stand-in.give-back'));
    return notice(say('simul.stand-in.plays', names));
  }
  if (you === 'host') return offered ? notice(say('simul.stand-in.offered', names), 'simul.take_over', say('form.cancel')) : null;
  if (you !== 'stand_in') return null;
  if (!offered && away_since === null) return notice(say('simul.stand-in.ready'), 'simul.leave', say('simul.stand-in.leave'));
  return notice(say(offered ? 'simul.stand-in.asked' : 'simul.stand-in.away', names), 'simul.take_over', say('simul.stand-in.take-over'), true);
}
