/** An invitation's link, on its way to somebody. */

import type { App } from '../../app';
import { say } from '../../words/words';

export const linkOf = (challenge: string): string => `${location.origin}/challenge/${challenge}`;

/** Copy it; whether the browser did. It does not without a secure context or the person's permission. */
export async function offerLink(app: App, link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    return false;
  }
  app.say(say('toast.copied'));
  return true;
}
