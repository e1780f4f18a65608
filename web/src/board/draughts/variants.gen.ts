/** Written by `python -m codegen.draughts_boards` from the core's laws. Not by hand. */

/** Board of each variant. A losing form has the board of its counterpart. */
export const BOARDS = {
  international: { size: 10, men: 4, behind: 0, first: 'w', naming: 'numbers', flying: true },
  classic: { size: 8, men: 3, behind: 0, first: 'b', naming: 'numbers', flying: true },
  english: { size: 8, men: 3, behind: 0, first: 'b', naming: 'numbers', flying: false },
  italian: { size: 8, men: 3, behind: 0, first: 'w', naming: 'numbers', flying: false, mirrored: true },
  russian: { size: 8, men: 3, behind: 0, first: 'w', naming: 'letters', flying: true, crownsOnTheWay: true },
  brazilian: { size: 8, men: 3, behind: 0, first: 'w', naming: 'letters', flying: true },
  turkish: { size: 8, men: 2, behind: 1, first: 'w', naming: 'letters', flying: true, orthogonal: true },
  frisian: { size: 10, men: 4, behind: 0, first: 'w', naming: 'numbers', flying: true, kingMoves: 3 },
} as const;
