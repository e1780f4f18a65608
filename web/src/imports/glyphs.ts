/** What annotators say of a move in signs: numbers of the PGN standard (section 10) as glyphs and as words. */

import { nameOf, say } from '../words/words';

/** Those that have a sign which readers know, as far as common fonts have it too. */
const GLYPHS: Readonly<Record<number, string>> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□',
  10: '=', 11: '=', 12: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+', 20: '+−', 21: '−+',
  22: '⊙', 23: '⊙', 36: '→', 37: '→', 40: '↑', 41: '↑', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N',
};

/** These stand at the move itself, the others are of the position and stand apart from it. */
export const isOfMove = (nag: number): boolean => nag <= 7;

export const glyph = (nag: number): string => GLYPHS[nag] ?? `$${nag}`;

/** In words; one that has none is told by its number. */
export function glyphName(nag: number): string {
  const name = nameOf('nag', String(nag));
  return name === String(nag) ? say('nag.other', { n: nag }) : name;
}
