/** What a PGN game's tags say, without what they do not know. */

import type { ImportedPlayer } from '../net/protocol';
import { say } from '../words/words';

/** Nothing for what is not known. */
export const known = (text: string | undefined): string => (text === undefined || /^[?.\s-]*$/.test(text) ? '' : text);

/** `1997.05.11`, as far as it is known: `1997`. */
export const dated = (date: string): string => known(date).replace(/(\.\?+)+$/, '');

/** `Fischer (2785)`. */
export function named({ name, elo }: ImportedPlayer): string {
  const shown = known(name) || say('import.unknown');
  return elo === null ? shown : say('import.elo', { name: shown, elo });
}
