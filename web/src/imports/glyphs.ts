/** NAGs of the PGN standard (section 10) as glyphs and as words. */

import { nameOf, say } from '../words/words';

/** NAGs with a familiar glyph that common fonts have. */
const GLYPHS: Readonly<Record<number, string>> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□',
  10: '=', 11: '=', 12: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+', 20: '+−', 21: '−+',
  22: '⊙', 23: '⊙', 36: '→', 37: '→', 40: '↑', 41: '↑', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N',
};

/** NAGs of the move stand right after it; the others describe the position and stand apart. */
export const isOfMove = (nag: number): boolean => nag <= 7;

export const glyph = (nag: number): string => GLYPHS[nag] ?? `$${nag}`;

/** In words; an unknown one by its number. */
export function glyphName(nag: number): string {
  const name = nameOf('nag', String(nag));
  return name === String(nag) ? say('nag.other', { n: nag }) : name;
}
