/** What the form of a new game starts with, instead of what was chosen last. */

import type { LawsTerms, TimeControl } from '../../net/protocol';

export interface NewGame {
  /** Name of the invited person. */
  to?: string;
  /** Against a robot. */
  robot?: true;
  /** Its level, instead of the last one. */
  level?: number;
  variant?: string;
  /** Whether a position is to be set up. */
  editor?: boolean;
  terms?: { tc: TimeControl; variant: string; rules: string; rated: boolean; laws?: LawsTerms };
}

/**
 * The form that an address opens over the page: `/?create`, `/?editor`, `/?to=name`, `/?robot` or `/?robot=level`; null
 * for other addresses.
 */
export function newGameAt({ pathname, search }: Pick<Location, 'pathname' | 'search'>): NewGame | null {
  const query = new URLSearchParams(search);
  const [to, variant, robot] = [query.get('to'), query.get('create'), query.get('robot')];
  const editor = query.has('editor');
  if (pathname !== '/' || (to === null && robot === null && variant === null && !editor)) return null;
  if (robot !== null) return { robot: true, ...(/^[1-8]$/.test(robot) ? { level: Number(robot) } : {}) };
  return { ...(to ? { to } : {}), ...(variant ? { variant } : {}), ...(editor ? { editor } : {}) };
}
