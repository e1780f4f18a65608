/** The 960 start positions with their standard numbers (R. Scharnagl). 518 is standard chess. */

import { say, variantName } from '../words/words';

export const STARTS = 960;

/** Places of the two knights among the five squares that bishops and queen leave. */
const KNIGHTS = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]] as const;

/** First rank of position `number`, as `RNBQKBNR`. */
export function rankOf(number: number): string {
  const files = Array.from({ length: 8 }, () => '');
  let rest = number;
  const digit = (base: number) => {
    const found = rest % base;
    rest = Math.floor(rest / base);
    return found;
  };
  files[2 * digit(4) + 1] = 'B';
  files[2 * digit(4)] = 'B';
  const free = () => [...files.keys()].filter((file) => files[file] === '');
  files[free()[digit(6)]!] = 'Q';
  const left = free();
  for (const place of KNIGHTS[rest]!) files[left[place]!] = 'N';
  free().forEach((file, index) => (files[file] = 'RKR'.charAt(index)));
  return files.join('');
}

/** Position `number` as X-FEN. */
export function startOf(number: number): string {
  const rank = rankOf(number);
  return `${rank.toLowerCase()}/pppppppp/8/8/8/8/PPPPPPPP/${rank} w KQkq - 0 1`;
}

let numbers: ReadonlyMap<string, number> | null = null;

/** Number of the start position `fen`, as the server writes it; null if it is none. */
export function numberOf(fen: string): number | null {
  numbers ??= new Map(Array.from({ length: STARTS }, (_, number) => [startOf(number), number]));
  return numbers.get(fen) ?? null;
}

/** The variant, with the number of its start position if there is one. */
export function variantAt(variant: string, position: number | null): string {
  return position === null ? variantName(variant) : say('variant.numbered', { variant: variantName(variant), n: position });
}
