/** A ban: why the person may not start games, and until when. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Notice, PersonalMessage } from '../net/protocol';
import { instant } from '../words/dates';
import { isKey, say, sentence } from '../words/words';

/** Longest timeout of browsers, 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

export class Bans {
  private told: Notice | null = null;
  private over: ReturnType<typeof setTimeout> | undefined;

  /** `now`: Unix milliseconds of the server. */
  constructor(
    private readonly now: () => number,
    private readonly changed: () => void,
  ) {}

  /** Returns whether `message` is known already. */
  receive(message: PersonalMessage): boolean {
    if (message.t !== 'notice') return false;
    const notice = message;
    if (notice.code === 'ban') {
      const same = this.told?.until === notice.until && this.told.text === notice.text;
      this.told = notice;
      this.wait();
      return same;
    }
    if (notice.code === 'unban') this.clear();
    return false;
  }

  /** Another user, or the ban is over. */
  clear(): void {
    clearTimeout(this.over);
    this.told = null;
    this.changed();
  }

  draw(): TemplateResult | typeof nothing {
    const { told } = this;
    if (told === null || told.until === null) return nothing;
    const key = `ban.${told.what}`;
    // A moderator's ban has its reason in the server's sentence.
    const words = isKey(key)
      ? html`<strong>${say('ban.until', { time: instant(told.until) })}</strong> ${say(key as 'ban.left')}`
      : html`<strong>${sentence(told.text)}</strong>`;
    return html`<div class="card ban" role="status" data-testid="ban"><p>${words}</p></div>`;
  }

  private wait(): void {
    clearTimeout(this.over);
    const left_ms = (this.told?.until ?? 0) - this.now();
    if (left_ms <= 0) this.clear();
    else this.over = setTimeout(() => this.wait(), Math.min(left_ms, LONGEST_MS));
  }
}
