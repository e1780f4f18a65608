/** PGN tags, without placeholders for unknown values. */

import type { ImportedPlayer } from '../net/protocol';
import { say } from '../words/words';

/** Empty for an unknown value. */
export const known = (text: string | undefined): string => (text === undefined || /^[?.\s-]*$/.test(text) ? '' : text);

/** `1997.05.11`, or its known part: `1997`. */
export const dated = (date: string): string => known(date).replace(/(\.\?+)+$/, '');

/** `Fischer (2785)`. */
export function named({ name, elo }: ImportedPlayer): string {
  const shown = known(name) || say('import.unknown');
  return elo === null ? shown : say('import.elo', { name: shown, elo });
}
