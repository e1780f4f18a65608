/** A stable order for a list that changes while it is watched. */

/**
 * Games in `shown` keep their places while they are in `listed` or `lingers` says so. Others fill free places, then
 * follow, up to `most`.
 */
export function stableOrder(
  shown: readonly string[],
  listed: readonly string[],
  lingers: (g: string) => boolean,
  most: number,
): string[] {
  const known = new Set(shown);
  const there = new Set(listed);
  const fresh = listed.filter((g) => !known.has(g));
  const kept = shown.flatMap((g) => (there.has(g) || lingers(g) ? g : (fresh.shift() ?? [])));
  return [...kept, ...fresh].slice(0, most);
}
