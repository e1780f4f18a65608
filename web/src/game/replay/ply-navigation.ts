/** The displayed half-move: the newest unless the person goes back. */

export class PlyNavigation {
  /** Half-moves on the displayed board; null for the newest. */
  private at: number | null = null;

  constructor(private readonly changed: () => void) {}

  /** Half-moves shown when the game has `plies`. */
  ply(plies: number): number {
    return this.at === null ? plies : Math.min(this.at, plies);
  }

  isLive(plies: number): boolean {
    return this.ply(plies) === plies;
  }

  go(ply: number, plies: number): void {
    const to = Math.max(0, Math.min(ply, plies));
    this.at = to === plies ? null : to;
    this.changed();
  }

  /** Open the game at this half-move. */
  begin(ply: number, plies: number): void {
    this.at = ply < plies ? ply : null;
  }

  live(): void {
    if (this.at === null) return;
    this.at = null;
    this.changed();
  }

  /** Handle a key; false if it does nothing here. */
  press(key: string, plies: number): boolean {
    const ply = this.ply(plies);
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: plies }[key];
    if (to === undefined) return false;
    this.go(to, plies);
    return true;
  }
}

/** The half-move in a fragment such as `#12`; null if there is none. */
export function plyOfHash(hash: string): number | null {
  return /^#\d{1,4}$/.test(hash) ? Number(hash.slice(1)) : null;
}
