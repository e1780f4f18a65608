/** Perfs: what a person has a rating in. A speed in the default variant, or a speed in another. */

import type { Speed } from '../net/protocol';
import { SPEEDS } from '../time/speed';
import { nameOf, say, variantName } from '../words/words';
import { DEFAULT_VARIANT, VARIANTS } from './registry';

/** In display order. Games without a clock are not rated. */
export const PERFS: readonly string[] = VARIANTS.flatMap((variant) =>
  SPEEDS.filter((speed) => speed !== 'unlimited').map((speed) => perfOf(variant, speed)),
);

export function perfOf(variant: string, speed: Speed): string {
  return variant === DEFAULT_VARIANT ? speed : `${variant}-${speed}`;
}

/** `Blitz`, `Chess960 rapid`, `Losing Turkish draughts blitz`. */
export function perfName(perf: string): string {
  const cut = perf.lastIndexOf('-');
  if (cut < 0) return nameOf('speed', perf);
  const speed = nameOf('speed', perf.slice(cut + 1)).toLowerCase();
  return say('perf.variant', { variant: variantName(perf.slice(0, cut)), speed });
}

/** `perfs` in the order of `PERFS`, unknown ones last. */
export const sortedPerfs = (perfs: readonly string[]): string[] => {
  const place = (perf: string) => (PERFS.includes(perf) ? PERFS.indexOf(perf) : PERFS.length);
  return [...perfs].sort((one, other) => place(one) - place(other));
};
