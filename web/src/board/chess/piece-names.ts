/** What Chessground's stylesheets call the pieces, by their letters. */

export const PIECE_NAMES = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' } as const;

/** The class of a piece; empty for one that chess does not have. */
export const pieceNameOf = (letter: string): string => (PIECE_NAMES as Readonly<Record<string, string>>)[letter.toLowerCase()] ?? '';
