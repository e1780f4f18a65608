/** Runs an action in only one of the browser's tabs: the visible one, or else the first. */

import type { KeyValueStorage } from './storage';

const NAME = 'heralded';
/** Ids that are remembered. */
const KEPT = 50;
/** Hidden tabs wait, so that the visible one goes first. */
const HIDDEN_MS = 400;

/** Call `tell` unless another tab has done so, or does, for `id`. */
export function oncePerBrowser(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null, id: string, tell: () => void): void {
  const claim = () => claimed(storage, id) && tell();
  if (document.hidden) setTimeout(claim, HIDDEN_MS);
  else claim();
}

function claimed(storage: Pick<KeyValueStorage, 'getItem' | 'setItem'> | null, id: string): boolean {
  if (storage === null) return true;
  try {
    const known = (storage.getItem(NAME) ?? '').split(' ');
    if (known.includes(id)) return false;
    storage.setItem(NAME, [...known, id].slice(-KEPT).join(' '));
  } catch {
    // The storage is full: rather twice than never.
  }
  return true;
}
