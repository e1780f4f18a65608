/** An invitation's link, on its way to somebody. */

import type { AppServices } from '../../session/services';
import { say } from '../../words/words';

export const linkOf = (challenge: string): string => `${location.origin}/challenge/${challenge}`;

/** Copy it; whether the browser did. It does not without a secure context or the person's permission. */
export async function offerLink(app: Pick<AppServices, 'say'>, link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    return false;
  }
  app.say(say('toast.copied'));
  return true;
}
