/** Terms of a game by the Laws. */

import type { LawsTerms } from '../net/protocol';
import { say } from '../words/words';

/** Rules under which every game is by the Laws; `official` games can be. */
const ALWAYS: readonly string[] = ['fide', 'uscf'];

const USUAL_DEFAULT_S = 60;

export const isByLaws = (rules: string): boolean => ALWAYS.includes(rules);

/** `touch-move, players claim, no draw offers` */
export function lawsText({ supervised, draw_from, default_s, score_sheet }: LawsTerms): string {
  const parts = [
    say('laws.touch'),
    supervised ? '' : say('laws.claim'),
    draw_from === null ? say('laws.draws.none') : draw_from > 0 ? say('laws.draws.from', { n: draw_from }) : '',
    score_sheet ? say('laws.sheet') : '',
    default_s === USUAL_DEFAULT_S ? '' : say('laws.default', { s: default_s }),
  ];
  return parts.filter(Boolean).join(', ');
}

/** Whether both have the same terms. What a request leaves out is as usual. */
export function isSameLaws(one: Partial<LawsTerms> | null | undefined, other: Partial<LawsTerms> | null | undefined): boolean {
  return textOf(one) === textOf(other);
}

function textOf(terms: Partial<LawsTerms> | null | undefined): string {
  if (terms === null || terms === undefined) return '';
  const { supervised = true, draw_from = 0, default_s = USUAL_DEFAULT_S, score_sheet = false } = terms;
  return JSON.stringify([supervised, draw_from, default_s, score_sheet]);
}
