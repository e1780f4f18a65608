/** The stand-in: what they and the host can do, and what everybody is told. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { SimulSnapshot } from '../../net/protocol';
import { personText } from '../../ui/person-name';
import { say } from '../../words/words';

type Request = 'simul.take_over' | 'simul.hand_over' | 'simul.leave';

export interface StandInNotice {
  text: string;
  /** The request that the person can make, and the text of its button. */
  ask?: { t: Request; text: string; main?: boolean };
}

export function standIn(app: App, simul: string, now: SimulSnapshot): TemplateResult | typeof nothing {
  const notice = standInNotice(now);
  if (notice === null) return nothing;
  const { text, ask } = notice;
  return html`<div class="simul-stand-in" data-testid="stand-in">
    <p role="status">${text}</p>
    ${ask === undefined
      ? nothing
      : html`<button class=${ask.main ? 'main' : ''} data-testid=${ask.t.slice('simul.'.length)} @click=${() => void app.attempt(() => app.socket.change({ t: ask.t, simul }))}>
          ${ask.text}
        </button>`}
  </div>`;
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
