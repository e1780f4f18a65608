/** Time control and variant of a game in a few characters: `5+3 Chess960`. Standard chess is left out. */

import type { TimeControl } from '../net/protocol';
import { describe } from '../time/control-text';
import { variantAt } from './chess960';
import { DEFAULT_VARIANT } from './registry';

/** `position`: number of the starting position, if it was chosen. */
export function termsText(tc: TimeControl, variant: string, position: number | null): string {
  return [describe(tc), ...(variant === DEFAULT_VARIANT ? [] : [variantAt(variant, position)])].join(' ');
}
