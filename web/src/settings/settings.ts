/**
 * How the person likes it: typed values with defaults. `SettingsStore` keeps them in the browser, and on the server for
 * whoever has a name.
 *
 * What is stored is not trusted: a value that its own rule does not know falls back to the default.
 */

import { PIECE_LETTERS, type Letters } from '../notation/notation.gen';
import { SPEEDS } from '../time/speed';

export interface Rule<T> {
  readonly initial: T;
  accepts(value: unknown): value is T;
}

interface Choice<T> extends Rule<T> {
  readonly options: readonly T[];
}

const flag = (initial: boolean): Rule<boolean> => ({
  initial,
  accepts: (value): value is boolean => typeof value === 'boolean',
});

const range = (initial: number, least: number, most: number): Rule<number> => ({
  initial,
  accepts: (value): value is number => typeof value === 'number' && value >= least && value <= most,
});

const choice = <const T extends string>(options: readonly T[], initial: NoInfer<T>): Choice<T> => ({
  initial,
  options,
  accepts: (value): value is T => options.includes(value as T),
});

/** Several of `options`, written with spaces between. */
const several = (options: readonly string[], initial: string): Rule<string> => ({
  initial,
  accepts: (value): value is string =>
    typeof value === 'string' && value.split(' ').every((word) => word === '' || options.includes(word)),
});

const LETTERS = Object.keys(PIECE_LETTERS) as Letters[];

export const RULES = {
  theme: choice(['system', 'light', 'dark'], 'system'),
  boardTheme: choice(['brown', 'green', 'blue', 'grey', 'purple', 'contrast'], 'brown'),
  pieceColours: choice(['classic', 'warm', 'contrast'], 'classic'),
  pieceSet: choice(['cburnett', 'letters'], 'cburnett'),
  coordinates: choice(['inside', 'outside', 'none'], 'inside'),
  moveInput: choice(['both', 'drag', 'click'], 'both'),
  premove: flag(true),
  /** Speeds at which a move is asked about before it is sent. */
  confirmMoves: several(SPEEDS, 'correspondence'),
  confirmResign: flag(true),
  autoQueen: choice(['never', 'premove', 'always'], 'premove'),
  zen: flag(false),
  /** Milliseconds a piece takes to its square. */
  animation: range(150, 0, 1000),
  /** `system` does what the device asks for. */
  reducedMotion: choice(['system', 'on', 'off'], 'system'),
  /** Whose letters stand for the pieces, in moves that are written and typed. */
  letters: choice(LETTERS, 'en'),
  /** How moves are written. */
  notation: choice(['short', 'long', 'iccf'], 'short'),
  /** How moves are told in text mode and by the voice: in words, as they are written, or announced in a language. */
  tellMoves: choice(['words', 'notation', 'en', 'de'], 'words'),
  clockTenths: choice(['never', 'low', 'always'], 'low'),
  sound: flag(true),
  /** 0 to 1. */
  volume: range(0.7, 0, 1),
  speech: flag(false),
  /** By the device, of invitations and games that begin; where the browser allows it. */
  notify: flag(false),
  textMode: flag(false),
} as const;

type Values = typeof RULES;
export type SettingName = keyof Values;
export type Settings = { -readonly [K in SettingName]: Values[K] extends Rule<infer T> ? T : never };

export const DEFAULTS = Object.fromEntries(
  Object.entries(RULES).map(([name, { initial }]) => [name, initial]),
) as Settings;

/** What letters were called while there were few. */
const FORMER_LETTERS: Record<string, Letters> = { english: 'en', german: 'de', french: 'fr', spanish: 'es' };

/** What is a setting of whatever was stored, foreign and broken values left out. */
export function validSettings(stored: unknown): Partial<Settings> {
  const found: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { letters } = found;
  if (typeof letters === 'string' && Object.hasOwn(FORMER_LETTERS, letters)) found.letters = FORMER_LETTERS[letters];
  const known = Object.entries(RULES).filter(([name, rule]) => (rule as Rule<unknown>).accepts(found[name]));
  return Object.fromEntries(known.map(([name]) => [name, found[name]]));
}

/** Settings from whatever was stored, and the defaults for what it lacks. */
export const settingsFrom = (stored: unknown): Settings => ({ ...DEFAULTS, ...validSettings(stored) });

/** Whether the person wants to be asked before a move of a game at this speed is sent. */
export const confirmsMoves = (settings: Settings, speed: string): boolean =>
  settings.confirmMoves.split(' ').includes(speed);

/** Whether pieces and pages should keep still. */
export const reducesMotion = (settings: Settings): boolean =>
  settings.reducedMotion === 'on' ||
  (settings.reducedMotion === 'system' && matchMedia('(prefers-reduced-motion: reduce)').matches);
