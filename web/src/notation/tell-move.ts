/** A move of the score for the ear: in the page's words, as it is written, or announced (Appendix E). */

import type { Color } from '../net/protocol';
import { say, SIDES } from '../words/words';
import { ANNOUNCED, type Announced } from './notation.gen';
import { inWords } from './pieces';
import { announce, isUci, writeMove, type WritingStyle } from './write-move';

/** How somebody likes to be told of moves. */
export interface TellingStyle extends WritingStyle {
  tellMoves: 'words' | 'notation' | Announced;
}

/** A sentence, and in which language it is where that is not the page's. */
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

/** With who made it: `White: knight f3`. */
export function tellMoveOf(side: Color, uci: string, san: string, how: TellingStyle): Utterance {
  const told = tellNotation(uci, san, how);
  const name = told.lang === undefined ? SIDES[side] : ANNOUNCED[told.lang].sides[side];
  return { ...told, text: say('move.told', { side: name, move: told.text }) };
}

/** No voice reads what is only written. */
export const forSpeech = (how: TellingStyle): TellingStyle => (how.tellMoves === 'notation' ? { ...how, tellMoves: 'words' } : how);

/** Told in the middle of the page's own sentences: in no other language than theirs. */
export const withinSentence = (how: TellingStyle): TellingStyle => (how.tellMoves === 'de' ? { ...how, tellMoves: 'words' } : how);
