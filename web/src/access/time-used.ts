/** Time used by both (Appendix E.2), read from the score of the game: the clocks do not show it once time was added. */

import type { Color, GameSnapshot } from '../net/protocol';
import { opposite } from '../notation/color';
import { scoreFormatOf } from '../variants/registry';
import { say, SIDES } from '../words/words';
import { tellTime } from './tell';

/** The first move of each side is not charged. */
const FREE_PLIES = 2;
/** Comments, which hold the times, or words. */
const PART = /\{[^}]*\}|[^\s{}]+/g;
const SPENT = /\[%emt (?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\]/;
/** Move numbers, glyphs and results. */
const NO_MOVE = /^(?:\d+\.+|\$\d+|1-0|0-1|1\/2-1\/2|\*)$/;

export interface Used {
  ms: number;
  /** Times of some moves are missing: clocks were paused or set. */
  more: boolean;
}

/** Times in `pgn` for each side; `first` made the first move. */
export function usedIn(pgn: string, first: Color): Record<Color, Used> {
  const used = { w: { ms: 0, more: false }, b: { ms: 0, more: false } };
  const moves = pgn.replace(/^\[.*\]$/gm, '');
  let mover = opposite(first);
  let plies = 0;
  let told = true;
  const close = () => {
    if (!told && plies > FREE_PLIES) used[mover].more = true;
  };
  for (const [part] of moves.matchAll(PART)) {
    const spent = part.startsWith('{') ? SPENT.exec(part) : null;
    if (spent !== null) {
      const [, hours = '0', minutes, seconds] = spent;
      used[mover].ms += (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
      told = true;
    } else if (!part.startsWith('{') && !NO_MOVE.test(part)) {
      close();
      mover = opposite(mover);
      plies += 1;
      told = false;
    }
  }
  close();
  return used;
}

/** In words, or that the score could not be loaded. */
export async function tellUsed({ g, variant }: GameSnapshot, first: Color): Promise<string> {
  const pgn = await fetch(`/api/v1/games/${g}/${scoreFormatOf(variant)}`)
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null);
  if (pgn === null) return say('told.used-unknown');
  const used = usedIn(pgn, first);
  return (['w', 'b'] as const)
    .map((color) => {
      const words = { side: SIDES[color], time: tellTime(used[color].ms) };
      return say(used[color].more ? 'told.used-more' : 'told.used', words);
    })
    .join('; ');
}
