/** Moving from square to square on any lattice. */

import type { GameKind } from '../board/core/game-kind';

/** The square reached from `index`, as White sees the board; null when there is none. */
export function gridStep({ lattice }: GameKind, index: number, columns: number, rows: number): number | null {
  const { column, row } = lattice.placeOf(lattice.squares[index]!)!;
  const found = (x: number, y: number) => {
    const square = lattice.squareAt(x, y);
    return square === null ? null : lattice.squares.indexOf(square);
  };
  if (rows === 0) {
    for (let x = column + columns; x >= 0 && x < lattice.columns; x += columns) {
      const next = found(x, row);
      if (next !== null) return next;
    }
    return null;
  }
  const straight = found(column, row + rows);
  if (straight !== null) return straight;
  // Rows may be offset against each other. Alternate sides, so that up and down returns to the start.
  const aside = column % 2 === 0 ? 1 : -1;
  return found(column + aside, row + rows) ?? found(column - aside, row + rows);
}

/** The first or last square of the row of `index`, as shown on the screen. */
export function endOfRow(kind: GameKind, index: number, way: 1 | -1): number {
  let at = index;
  for (let next: number | null = at; next !== null; next = gridStep(kind, at, way, 0)) at = next;
  return at;
}
