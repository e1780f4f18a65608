/** Events besides moves that show nowhere else, as notices that pass. */

import type { Color, GameMessage, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { left_ms } from '../../time/clock';
import { say } from '../../words/words';

const OPEN = ['draw', 'takeback'] as const;
const TOLD_FOR_MS = 6_000;

/** The notice for the player `me`; empty to clear the last one, null to leave it. `was`: the game before. */
export function noticeOf(message: GameMessage, was: GameSnapshot, me: Color): string | null {
  if (message.t === 'offer') {
    const refused = message.do === 'decline' && message.by !== me;
    return refused ? say('news.refused', { what: say(`offer.${message.what}`) }) : '';
  }
  // What was told before hides the result.
  if (message.t === 'end') return '';
  if (message.t === 'move' && message.by !== me) {
    // A move declines the open offer without an event of its own.
    const what = OPEN.find((one) => was.offers[one] === me);
    return what === undefined ? null : say('news.refused', { what: say(`offer.${what}`) });
  }
  if (message.t === 'clock' && message.why === 'moretime' && message.by !== null) {
    const to = opposite(message.by);
    const { clock } = message;
    if (!clock || !was.clock) return null;
    const s = Math.round((clock[to] - left_ms(was.clock, to, clock.at)) / 1000);
    return say(to === me ? 'news.time' : 'news.time.you', { s });
  }
  if (message.t === 'clock' && message.why === 'owntime' && message.by !== me) return say('news.time.own');
  return null;
}

export class GameNotices {
  text = '';
  private expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly changed: () => void) {}

  tell(text: string): void {
    clearTimeout(this.expiry);
    this.text = text;
    this.expiry = setTimeout(() => {
      this.text = '';
      this.changed();
    }, TOLD_FOR_MS);
  }

  close(): void {
    clearTimeout(this.expiry);
  }
}
