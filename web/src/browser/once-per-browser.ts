/** Of a person's tabs one makes the noise: the one he looks at, or else whichever is first. */

import type { KeyValueStorage } from './storage';

const NAME = 'heralded';
/** News are told once, and old ones not told again. */
const KEPT = 50;
/** The tab that is looked at goes first. */
const HIDDEN_MS = 400;

/** Call `tell` unless another tab of the browser has told, or tells, what `id` names. */
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
    // The browser is full: rather twice than never.
  }
  return true;
}
