/** What people have ratings of: a speed in standard chess, or a speed in a variant. */

import type { Speed } from '../protocol';
import { SPEEDS } from '../settings';
import { nameOf, say, variantName, VARIANTS } from '../words';

/** In the order in which they are shown. Without a clock nothing is rated. */
export const PERFS: readonly string[] = Object.keys(VARIANTS).flatMap((variant) =>
  SPEEDS.filter((speed) => speed !== 'unlimited').map((speed) => perfOf(variant, speed)),
);

export function perfOf(variant: string, speed: Speed): string {
  return variant === 'standard' ? speed : `${variant}-${speed}`;
}

/** `Blitz`, `Chess960 rapid`. */
export function perfName(perf: string): string {
  const cut = perf.lastIndexOf('-');
  if (cut < 0) return nameOf('speed', perf);
  const speed = nameOf('speed', perf.slice(cut + 1)).toLowerCase();
  return say('perf.variant', { variant: variantName(perf.slice(0, cut)), speed });
}

/** `perfs` in the order of `PERFS`; those that this page does not know come last. */
export const sortedPerfs = (perfs: readonly string[]): string[] => {
  const place = (perf: string) => (PERFS.includes(perf) ? PERFS.indexOf(perf) : PERFS.length);
  return [...perfs].sort((one, other) => place(one) - place(other));
};
