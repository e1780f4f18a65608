/** Events besides moves that show nowhere else, as notices that pass. */

import type { Color, GameMessage, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { left_ms } from '../../time/clock';
import { say } from '../../words/words';

const TOLD_FOR_MS = 6_000;

/** The notice for the player `me`; empty to clear the last one, null to leave it. `was`: the game before. */
export function noticeOf(message: GameMessage, was: GameSnapshot, me: Color): string | null {
  if (message.t === 'offer') {
    if (message.do !== 'decline') return '';
    // Only a request to take a move back can be withdrawn.
    if (was.offers[message.what] === message.by) return say(message.by === me ? 'news.withdrawn.you' : 'news.withdrawn');
    return message.by === me ? '' : say('news.refused', { what: say(`offer.${message.what}`) });
  }
  // What was told before hides the result.
  if (message.t === 'end') return '';
  if (message.t === 'move' && message.by !== me) {
    // A move ends open offers without an event of its own.
    const lapsed = was.offers.takeback === me ? say('news.lapsed') : '';
    const refused = was.offers.draw === me ? say('news.refused', { what: say('offer.draw') }) : '';
    return [refused, lapsed].filter(Boolean).join(' ') || null;
  }
  if (message.t === 'takeback') return was.offers.draw === me ? say('news.lapsed.draw') : '';
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
