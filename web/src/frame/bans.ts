/** Whether the person may not begin games for a while: why, and until when. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { PersonalMessage, Notice } from '../net/protocol';
import { instant } from '../words/dates';
import { isKey, say, sentence } from '../words/words';

/** Browsers take no longer wait than 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

export class Bans {
  private told: Notice | null = null;
  private over: ReturnType<typeof setTimeout> | undefined;

  /** `now`: Unix ms of the server. */
  constructor(
    private readonly now: () => number,
    private readonly changed: () => void,
  ) {}

  /** Whether `message` tells only what is known. */
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

  /** Somebody else is at the page, or it is over. */
  clear(): void {
    clearTimeout(this.over);
    this.told = null;
    this.changed();
  }

  draw(): TemplateResult | typeof nothing {
    const { told } = this;
    if (told === null || told.until === null) return nothing;
    const key = `ban.${told.what}`;
    // What a moderator forbids, and has written, is all in the server's sentence.
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
