/** For moderators: form to ban a person for a while, or to lift a ban. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call, userAddress } from '../net/api';
import type { Ban, Timeout, User } from '../net/protocol';
import { Form, textOf } from '../ui/form';
import { moment } from '../words/dates';
import { say } from '../words/words';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Minutes and label. */
const LENGTHS = [
  [15, say('timeout.minutes', { n: 15 })],
  [HOUR, say('timeout.hours', { n: 1 })],
  [6 * HOUR, say('timeout.hours', { n: 6 })],
  [DAY, say('timeout.days', { n: 1 })],
  [3 * DAY, say('timeout.days', { n: 3 })],
  [7 * DAY, say('timeout.days', { n: 7 })],
  [30 * DAY, say('timeout.days', { n: 30 })],
  [366 * DAY, say('timeout.days', { n: 366 })],
] as const;
const MOST_LETTERS = 200;

export class TimeoutForm {
  private readonly form: Form;

  /** `id`: of the form, unique on the page; `told` is called with the new ban. */
  constructor(
    private readonly app: App,
    id: string,
    private readonly told: (ban: Ban | null) => void,
  ) {
    this.form = new Form(id, () => app.changed());
  }

  /** `ban`: null if there is none, or it is not known. */
  draw(user: User, ban: Ban | null, canLift: boolean): TemplateResult {
    const lengths = LENGTHS.map(([minutes, name]) => [String(minutes), name] as const);
    const fields = html`${this.form.select({ name: 'minutes', label: say('timeout.length') }, lengths, String(DAY))}
    ${this.form.text({ name: 'why', label: say('timeout.why'), hint: say('timeout.why.hint'), most: MOST_LETTERS })}`;
    const lift = canLift
      ? html`<button type="button" data-testid="lift" @click=${() => void this.lift(user)}>${say('timeout.lift')}</button>`
      : nothing;
    return html`${ban ? html`<p class="fault">${banText(ban)}</p>` : nothing}
    ${this.form.draw(
      fields,
      say('timeout.go', { name: user.name }),
      async (values) => {
        await this.set(user, Number(textOf(values, 'minutes')), textOf(values, 'why').trim());
        this.app.say(say('timeout.done', { name: user.name }));
      },
      { grave: true, more: lift },
    )}`;
  }

  private async lift(user: User): Promise<void> {
    await this.app.attempt(async () => {
      await this.set(user, 0, '');
      this.app.say(say('timeout.lifted', { name: user.name }));
    });
  }

  private async set(user: User, minutes: number, why: string): Promise<void> {
    const { ban } = await call<Timeout>('POST', userAddress(user.name, '/timeout'), { minutes, why });
    this.told(ban);
    this.app.changed();
  }
}

/** What the person is banned from, until when and why. */
export const banText = ({ until, why, what }: Ban): string =>
  say(what === 'moderator' ? 'account.ban.moderator' : 'account.ban', { until: moment(until), why });
