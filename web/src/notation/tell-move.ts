/** A move to be heard: in words, as written, or announced (Appendix E). */

import type { Color } from '../net/protocol';
import { say, SIDES } from '../words/words';
import { ANNOUNCED, type Announced } from './notation.gen';
import { inWords } from './pieces';
import { announce, isUci, writeMove, type WritingStyle } from './write-move';

/** How the person wants moves to be told. */
export interface TellingStyle extends WritingStyle {
  tellMoves: 'words' | 'notation' | Announced;
}

/** A sentence, with its language if it is not the page's. */
export interface Utterance {
  text: string;
  lang?: 'de';
}

/** The move alone: `knight f3`, `Springer Felix drei`. */
export function tellNotation(uci: string, san: string, how: TellingStyle): Utterance {
  const { tellMoves } = how;
  if (tellMoves === 'words' || (!isUci(uci) && tellMoves !== 'notation')) return { text: inWords(san) };
  if (tellMoves === 'notation') return { text: writeMove(uci, san, how) };
  return { text: announce(uci, san, tellMoves), ...(tellMoves === 'de' ? { lang: tellMoves } : {}) };
}

/** With its side: `White: knight f3`. */
export function tellMoveOf(side: Color, uci: string, san: string, how: TellingStyle): Utterance {
  const told = tellNotation(uci, san, how);
  const name = told.lang === undefined ? SIDES[side] : ANNOUNCED[told.lang].sides[side];
  return { ...told, text: say('move.told', { side: name, move: told.text }) };
}

/** Speech cannot read notation: use words. */
export const forSpeech = (how: TellingStyle): TellingStyle => (how.tellMoves === 'notation' ? { ...how, tellMoves: 'words' } : how);

/** Within a sentence of the page only the page's language is possible. */
export const withinSentence = (how: TellingStyle): TellingStyle => (how.tellMoves === 'de' ? { ...how, tellMoves: 'words' } : how);
