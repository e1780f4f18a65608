/** Whether a member plays casual games in quick pairing, kept in the browser. */

import { browserStorage } from '../../browser/storage';

const NAME = 'quick.casual';

/** Members play rated unless they choose not to. */
export const isCasual = (): boolean => browserStorage('local')?.getItem(NAME) === 'true';

export function keepCasual(casual: boolean): void {
  try {
    browserStorage('local')?.setItem(NAME, String(casual));
  } catch {
    // The storage is full: the next visit starts with rated games.
  }
}
