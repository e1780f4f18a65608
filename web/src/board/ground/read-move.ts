/**
 * Reads a typed move: start and end square, with landings where they are needed, in any spelling that leaves one legal
 * move: `32-28`, `32 28`, `28x19`, `47x33x24`, `3228`, or `28` if only one piece can go there.
 */

import type { Square } from '../../notation/pieces';
import type { Reading } from '../../notation/read-move';
import { pathSquares } from './ground';

const MOST_SIGNS = 80;
const DRAW = '(=)';

const isPart = (some: readonly Square[], path: readonly Square[]): boolean => {
  let at = 0;
  for (const square of some) {
    at = path.indexOf(square, at) + 1;
    if (at === 0) return false;
  }
  return true;
};

/** `isSquare`: whether the board has a square of that name. */
export function readPathMove(text: string, legal: readonly string[], isSquare: (name: string) => boolean): Reading {
  if (text.length > MOST_SIGNS) return { fault: 'unreadable' };
  const draw = text.trimEnd().endsWith(DRAW);
  const bare = (draw ? text.trimEnd().slice(0, -DRAW.length) : text).trim().toLowerCase().replace(/^\d{1,3}\.+\s/, '');
  const parts = bare.split(/\s*(?:[-\u2010-\u2015\u2212x×:]|\bto\b|\btakes\b)\s*|\s+/).filter((part) => part !== '');
  const named = parts.length === 1 && !isSquare(parts[0]!) ? runsOf(parts[0]!, isSquare) : [parts];
  const known = named.filter((squares) => squares.length > 0 && squares.every(isSquare));
  if (known.length === 0) return { fault: 'unreadable' };
  const found = [...new Set(known.flatMap((squares) => meant(squares, legal)))];
  const offer = draw ? ({ draw: true } as const) : {};
  if (found.length === 1) return { move: found[0]!, ...offer };
  return found.length === 0 ? { fault: 'illegal' } : { fault: 'ambiguous', moves: found };
}

/** Text without separators: two squares, of whatever length. */
function runsOf(text: string, isSquare: (name: string) => boolean): Square[][] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [text.slice(0, index + 1), text.slice(index + 1)]).filter(
    (pair) => pair.every(isSquare),
  );
}

function meant(squares: readonly Square[], legal: readonly string[]): string[] {
  // A capture has only its ends on the wire where those suffice; typed landings then add nothing.
  const fits = (move: string) => {
    const path = pathSquares(move);
    if (squares.length === 1) return path.at(-1) === squares[0];
    if (path[0] !== squares[0] || path.at(-1) !== squares.at(-1)) return false;
    return path.length === 2 || isPart(squares, path);
  };
  return legal.filter(fits);
}

/** Whether no longer move starts with `text`. */
export function isCompletePathMove(text: string, legal: readonly string[], isSquare: (name: string) => boolean): boolean {
  if (/\s/.test(text)) return false;
  const reading = readPathMove(text, legal, isSquare);
  if (!('move' in reading)) return false;
  // A single square may be the start of any move.
  if (isSquare(text)) return false;
  return [...'0123456789'].every((digit) => 'fault' in readPathMove(text + digit, legal, isSquare));
}
