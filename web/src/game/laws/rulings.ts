/** Rulings in words, with their articles. */

import type { GameEvent, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { writeMove, type WritingStyle } from '../../notation/write-move';
import { isLawsKey, sayLaws, type LawsKey } from '../../words/laws';
import { SIDES } from '../../words/words';

type Ruling = Extract<GameEvent, { t: 'ruling' }>;
type Of = Pick<GameSnapshot, 'rules' | 'laws'>;

const MINUTE_MS = 60_000;

/** What the ruling was; `text` is its move as it was written. */
export function tellRuling(event: Ruling, game: Of, text: string): string {
  const { by, what, given_ms, times } = event;
  const side = SIDES[by];
  const why = articleOf(event, game);
  const isLost = given_ms === 0 && game.rules !== 'official';
  const said = [saidOf()];
  if (given_ms > 0) said.push(sayLaws('ruling.given', { side: SIDES[opposite(by)], n: given_ms / MINUTE_MS }));
  if (game.rules === 'fide' && what !== 'wrong_claim' && !isLost) said.push(sayLaws('ruling.times', { times }));
  return said.join(' ');

  function saidOf(): string {
    switch (what) {
      case 'illegal_move':
        return sayLaws(isLost ? 'ruling.illegal_move.lost' : 'ruling.illegal_move', { side, move: text, why });
      case 'wrong_claim':
        return text === '' ? sayLaws('ruling.wrong_claim', { side, why }) : sayLaws('ruling.wrong_claim.move', { side, move: text, why });
      case 'correction':
        return sayLaws('ruling.correction', { side, move: text, why });
      default:
        return sayLaws(`ruling.${what}`, { side, why });
    }
  }
}

/** The article that it follows. */
function articleOf({ what }: Ruling, { rules, laws }: Of): string {
  const kind = laws?.rulings === 'by_claim' ? laws.kind : 'standard';
  const keys = [`article.${rules}.${what}`, `article.${rules}.${kind}`, `article.${rules}`];
  return sayLaws(keys.find(isLawsKey) as LawsKey & 'article.fide');
}

/** The move that was made or ruled on, as it is written; empty for none. */
export function writeMade({ laws }: Pick<GameSnapshot, 'laws'>, move: string | null, writing: WritingStyle): string {
  const made = laws?.made ?? null;
  if (move === null) return '';
  const notation = made?.move === move ? (made.san ?? made.pdn ?? move) : move;
  return writeMove(move, notation, writing);
}
