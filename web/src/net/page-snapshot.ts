/** The snapshot that came with the page, so that the board is there before the line is. */

import type { GameSnapshot } from './protocol';

/** Of game `id`; null: the server knows no such game; undefined: nothing came with the page. Only the first asks. */
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
