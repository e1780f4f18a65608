/** The link of an invitation. */

import type { AppServices } from '../../session/services';
import { say } from '../../words/words';

export const linkOf = (challenge: string): string => `${location.origin}/challenge/${challenge}`;

/** Copy the link; returns whether it was possible. It needs a secure context or permission. */
export async function offerLink(app: Pick<AppServices, 'say'>, link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    return false;
  }
  app.say(say('toast.copied'));
  return true;
}
