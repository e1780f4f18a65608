/** Whether the board of a game against oneself turns to the side to move; kept by the browser. */

import { shelf } from '../../browser/storage';

const TURNS = 'game.turns';

/** Whether the board of a game against oneself turns to who is to move. */
export const turns = (): boolean => shelf('local')?.getItem(TURNS) === 'true';

export function setTurns(on: boolean): void {
  try {
    shelf('local')?.setItem(TURNS, String(on));
  } catch {
    // The browser is full: the board stays as it is.
  }
}
