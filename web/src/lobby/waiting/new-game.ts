/** What the form of a new game starts with, instead of what was chosen last. */

import type { TimeControl } from '../../net/protocol';

export interface NewGame {
  /** Name of the invited person. */
  to?: string;
  terms?: { tc: TimeControl; variant: string; rules: string; rated: boolean };
}

/** The form that an address opens over the page: `/?create` and `/?to=name`; null for other addresses. */
export function newGameAt({ pathname, search }: Pick<Location, 'pathname' | 'search'>): NewGame | null {
  const query = new URLSearchParams(search);
  const to = query.get('to');
  if (pathname !== '/' || (to === null && !query.has('create'))) return null;
  return to ? { to } : {};
}
