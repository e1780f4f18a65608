/** Whether the board of a game against oneself flips to the side to move. Kept in the browser's storage. */

import { browserStorage } from '../../browser/storage';

const TURNS = 'game.turns';

export const boardFlips = (): boolean => browserStorage('local')?.getItem(TURNS) === 'true';

export function setBoardFlips(on: boolean): void {
  try {
    browserStorage('local')?.setItem(TURNS, String(on));
  } catch {
    // The storage is full: the setting stays as it is.
  }
}
