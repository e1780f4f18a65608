/**
 * The games there are. What they are, who begins and by which rules they are played is the server's to say
 * (protocol.gen.ts); beside it stands what this page can do with a game of each family. Pages ask here what a game has,
 * and never which one it is.
 */

import { GAMES, type Color } from '../net/protocol.gen.ts';

export interface Game {
  /** Its family. */
  game: string;
  /** How its moves are written, and with that its score. */
  notation: 'san' | 'pdn';
  /** Who moves first in the usual start position. */
  begins: Color;
  /** By which it may be played, the usual first. */
  profiles: readonly string[];
  /** How many start positions there are. */
  starts: number;
}

/** What this page can do with the games of a family. */
interface Abilities {
  /** Draws are claimed. Elsewhere the rules end by themselves what could be. */
  claims: boolean;
  /** Positions are read, looked over and shown before the server is asked. */
  validatesPositions: boolean;
  /** It can be played by words alone: text mode, commands, moves read out. */
  textMode: boolean;
  /** Profiles that are told of, and not built. */
  plannedProfiles: readonly string[];
}

const FAMILIES: ReadonlyMap<string, Abilities> = new Map([
  ['chess', { claims: true, validatesPositions: true, textMode: true, plannedProfiles: ['fide', 'uscf'] }],
  ['draughts', { claims: false, validatesPositions: false, textMode: true, plannedProfiles: [] }],
  ['chinese-checkers', { claims: false, validatesPositions: false, textMode: true, plannedProfiles: [] }],
]);

/** Of every family that is not among them: the server does what the page cannot. */
const PLAIN: Abilities = { claims: false, validatesPositions: false, textMode: false, plannedProfiles: [] };

const KNOWN: ReadonlyMap<string, Game> = new Map(Object.entries(GAMES));

/** All variants, in the order in which they are offered. */
export const VARIANTS: readonly string[] = Object.keys(GAMES);

/** The variant that goes without saying: its ratings are named by their speeds alone. */
export const DEFAULT_VARIANT = VARIANTS[0]!;

/** A variant that only a newer server knows is one with nothing in particular. */
const NEWER: Game = { game: '', notation: 'pdn', begins: 'w', profiles: ['online'], starts: 1 };

/** What a variant's name stands for. */
export const gameOf = (variant: string): Game => KNOWN.get(variant) ?? NEWER;

/** What this page can do with games of `variant`. */
export const abilitiesOf = (variant: string): Abilities => FAMILIES.get(gameOf(variant).game) ?? PLAIN;

/** The families with their variants, in the order in which they are offered. */
export function families(variants: readonly string[] = VARIANTS): [game: string, variants: string[]][] {
  const found = new Map<string, string[]>();
  for (const variant of variants) {
    const { game } = gameOf(variant);
    found.set(game, [...(found.get(game) ?? []), variant]);
  }
  return [...found];
}

const LOSING = 'losing-';

/** The variant's counterpart in which who has nothing left wins; null where there is none. */
export function losingOf(variant: string): string | null {
  const losing = LOSING + variant;
  return VARIANTS.includes(losing) ? losing : null;
}

/** The variant that `variant` turns round; itself where it turns none. */
export const plainOf = (variant: string): string =>
  variant.startsWith(LOSING) && VARIANTS.includes(variant) ? variant.slice(LOSING.length) : variant;

/** Who is to move in a position as any of the games writes it; null where it does not say. */
export function turnIn(position: string): Color | null {
  const side = /^\s*([wb])\s*:/i.exec(position)?.[1] ?? /\s([wb])(?:\s|$)/.exec(position)?.[1];
  return side === undefined ? null : (side.toLowerCase() as Color);
}

/** A kind of file that games are written to: the ending of its name, and of the address it is to be had at. */
export type ScoreFormat = 'pgn' | 'pdn';

export const scoreFormatOf = (variant: string): ScoreFormat => (gameOf(variant).notation === 'san' ? 'pgn' : 'pdn');

/** The kinds of files that games of `variants` are in. */
export const scoreFormatsOf = (variants: readonly string[]): ScoreFormat[] => [...new Set(variants.map(scoreFormatOf))];
