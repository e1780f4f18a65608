/**
 * Registry of games and variants. The server defines them (protocol.gen.ts); this module adds what the page can do with
 * each family. Pages ask for abilities, never for a particular game.
 */

import { GAMES, type Color } from '../net/protocol.gen.ts';

export interface Game {
  /** The family. */
  game: string;
  /** Notation of its moves and scores. */
  notation: 'san' | 'pdn';
  /** The side to move first in the usual start position. */
  begins: Color;
  /** Rule profiles, the usual one first. */
  profiles: readonly string[];
  /** Number of start positions. */
  starts: number;
  /** What a pawn of chess may become, by letters. */
  promotions?: string;
}

/** What the page can do with a family. */
interface Abilities {
  /** Draws can be claimed; other games end by their rules. */
  claims: boolean;
  /** Has text mode, commands and moves in words. */
  textMode: boolean;
}

const FAMILIES: ReadonlyMap<string, Abilities> = new Map([
  ['chess', { claims: true, textMode: true }],
  ['draughts', { claims: false, textMode: true }],
  ['chinese-checkers', { claims: false, textMode: true }],
]);

/** Abilities of an unknown family: the server does the rest. */
const PLAIN: Abilities = { claims: false, textMode: false };

const KNOWN: ReadonlyMap<string, Game> = new Map(Object.entries(GAMES));

/** All variants, in display order. */
export const VARIANTS: readonly string[] = Object.keys(GAMES);

/** The default variant; its ratings are named by the speed alone. */
export const DEFAULT_VARIANT = VARIANTS[0]!;

/** A variant that only a newer server knows. */
const NEWER: Game = { game: '', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 };

/** The game of a variant. */
export const gameOf = (variant: string): Game => KNOWN.get(variant) ?? NEWER;

/** A king that is one among other pieces: it may be captured, and pawns may become kings. */
export const isPlainKing = (variant: string): boolean => gameOf(variant).promotions?.includes('k') ?? false;

/** Abilities of the page for games of `variant`. */
export const abilitiesOf = (variant: string): Abilities => FAMILIES.get(gameOf(variant).game) ?? PLAIN;

/** Families with their variants, in display order. */
export function families(variants: readonly string[] = VARIANTS): [game: string, variants: string[]][] {
  const found = new Map<string, string[]>();
  for (const variant of variants) {
    const { game } = gameOf(variant);
    found.set(game, [...(found.get(game) ?? []), variant]);
  }
  return [...found];
}

const LOSING = 'losing-';

/** The losing version of the variant; null if there is none. */
export function losingOf(variant: string): string | null {
  const losing = LOSING + variant;
  return VARIANTS.includes(losing) ? losing : null;
}

/** The variant that `variant` is the losing version of; otherwise itself. */
export const plainOf = (variant: string): string =>
  variant.startsWith(LOSING) && VARIANTS.includes(variant) ? variant.slice(LOSING.length) : variant;

/** The side to move in a position of any game; null if it does not say. */
export function turnIn(position: string): Color | null {
  const side = /^\s*([wb])\s*:/i.exec(position)?.[1] ?? /\s([wb])(?:\s|$)/.exec(position)?.[1];
  return side === undefined ? null : (side.toLowerCase() as Color);
}

/** A file format of scores: its suffix, and the end of its address. */
export type ScoreFormat = 'pgn' | 'pdn';

export const scoreFormatOf = (variant: string): ScoreFormat => (gameOf(variant).notation === 'san' ? 'pgn' : 'pdn');

/** The formats of games of `variants`. */
export const scoreFormatsOf = (variants: readonly string[]): ScoreFormat[] => [...new Set(variants.map(scoreFormatOf))];
