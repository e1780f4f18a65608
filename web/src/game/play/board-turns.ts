/** Whether the board of a game against oneself turns to the side to move; kept by the browser. */

import { browserStorage } from '../../browser/storage';

const TURNS = 'game.turns';

/** Whether the board of a game against oneself turns to who is to move. */
export const turns = (): boolean => browserStorage('local')?.getItem(TURNS) === 'true';

export function setTurns(on: boolean): void {
  try {
    browserStorage('local')?.setItem(TURNS, String(on));
  } catch {
    // The browser is full: the board stays as it is.
  }
}
