/** Small things of the game page that the browser keeps, beside the settings. */

/** Null where the browser keeps nothing. */
export function shelf(kind: 'local' | 'session'): Storage | null {
  try {
    return kind === 'local' ? localStorage : sessionStorage;
  } catch {
    return null;
  }
}

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
