/** The snapshot inside the page, which shows the board before the socket is open. */

import type { GameSnapshot } from './protocol';

/**
 * The snapshot of game `id`; null if the server knows no such game, undefined if the page has none. It is read once.
 */
export function embeddedSnapshot(id: string): GameSnapshot | null | undefined {
  const element = document.getElementById('snapshot');
  if (element === null) return undefined;
  element.remove();
  try {
    const found = JSON.parse(element.textContent ?? '') as GameSnapshot | null;
    return found === null || found.g === id ? found : undefined;
  } catch {
    return undefined;
  }
}
