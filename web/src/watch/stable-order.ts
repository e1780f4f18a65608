/** In which places the games of a list stand that changes while it is looked at. */

/**
 * Those in `shown` stay where they are as long as they are in `listed` or `lingers` says that their end is still to be
 * seen; others take the places that are free, and come after them, up to `most`.
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
