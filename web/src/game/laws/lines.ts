/** One line that says what is going on in a game by the Laws. */

import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import type { WritingStyle } from '../../notation/write-move';
import { sayLaws } from '../../words/laws';
import { SIDES } from '../../words/words';
import { isPromoting } from './hands';
import { writeMade } from './rulings';

/** `own`: the sides played here; both are spoken of by their names. */
export function lineOf(game: GameSnapshot, own: readonly Color[], writing: WritingStyle): string {
  const { laws, turn } = game;
  if (!laws) return '';
  const side = SIDES[turn];
  const mine = own.length === 1 && own[0] === turn;
  if (mine && isPromoting(game)) return sayLaws('line.promote');
  if (laws.made !== null) {
    const move = writeMade(game, laws.made.move, writing);
    return mine ? sayLaws('line.you-made', { move }) : sayLaws('line.made', { side, move });
  }
  if (laws.adjusting) return mine ? sayLaws('line.you-adjust') : sayLaws('line.adjusting', { side });
  if (laws.touched.length > 0) return touchedLine(laws, mine, side);
  const absent = (['w', 'b'] as const).find((color) => !laws.seated[color]);
  if (absent !== undefined) {
    const key = own.length === 1 && own[0] === opposite(absent) ? 'line.absent.you' : 'line.absent';
    return sayLaws(key, { side: SIDES[absent], time: defaultTime(laws.default_s) });
  }
  return mine ? sayLaws('line.none') : sayLaws('line.theirs', { side });
}

function touchedLine({ touched, bound }: NonNullable<GameSnapshot['laws']>, mine: boolean, side: string): string {
  const squares = touched.join(', ');
  if (!mine) return sayLaws('line.touched', { side, squares });
  return `${sayLaws('line.you-touched', { squares })}${bound ? ` ${sayLaws('line.bound')}` : ''}`;
}

/** `60 seconds`, `5 minutes`. */
export const defaultTime = (s: number): string =>
  s % 60 === 0 ? sayLaws('form.default.minutes', { n: s / 60 }) : sayLaws('form.default.seconds', { n: s });
