/**
 * Settings: typed values with defaults. `SettingsStore` keeps them in the browser, and on the server for users.
 *
 * Stored values are not trusted: an invalid one falls back to its default.
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

/** Several of `options`, separated by spaces. */
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
  /** By the Laws: whether selecting a piece touches it, or only holding it. */
  touch: choice(['select', 'hold'], 'select'),
  premove: flag(true),
  /** Speeds at which moves must be confirmed. */
  confirmMoves: several(SPEEDS, 'correspondence'),
  confirmResign: flag(true),
  confirmDraw: flag(true),
  autoQueen: choice(['never', 'premove', 'always'], 'premove'),
  zen: flag(false),
  /** Duration of a move's animation, in ms. */
  animation: range(150, 0, 1000),
  /** `system`: the device's preference. */
  reducedMotion: choice(['system', 'on', 'off'], 'system'),
  /** Piece letters of moves, written and typed. */
  letters: choice(LETTERS, 'en'),
  /** Notation of moves. */
  notation: choice(['short', 'long', 'iccf'], 'short'),
  /** How moves are told in text mode and by speech: in words, as written, or announced in a language. */
  tellMoves: choice(['words', 'notation', 'en', 'de'], 'words'),
  clockTenths: choice(['never', 'low', 'always'], 'low'),
  sound: flag(true),
  /** 0 to 1. */
  volume: range(0.7, 0, 1),
  speech: flag(false),
  /** System notifications of invitations and new games, if the browser allows them. */
  notify: flag(false),
  textMode: flag(false),
} as const;

type Values = typeof RULES;
export type SettingName = keyof Values;
export type Settings = { -readonly [K in SettingName]: Values[K] extends Rule<infer T> ? T : never };

export const DEFAULTS = Object.fromEntries(
  Object.entries(RULES).map(([name, { initial }]) => [name, initial]),
) as Settings;

/** Former names of letters. */
const FORMER_LETTERS: Record<string, Letters> = { english: 'en', german: 'de', french: 'fr', spanish: 'es' };

/** The valid settings in `stored`. */
export function validSettings(stored: unknown): Partial<Settings> {
  const found: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { letters } = found;
  if (typeof letters === 'string' && Object.hasOwn(FORMER_LETTERS, letters)) found.letters = FORMER_LETTERS[letters];
  const known = Object.entries(RULES).filter(([name, rule]) => (rule as Rule<unknown>).accepts(found[name]));
  return Object.fromEntries(known.map(([name]) => [name, found[name]]));
}

/** Settings from `stored`, with defaults. */
export const settingsFrom = (stored: unknown): Settings => ({ ...DEFAULTS, ...validSettings(stored) });

/** Whether moves at this speed must be confirmed. */
export const confirmsMoves = (settings: Settings, speed: string): boolean =>
  settings.confirmMoves.split(' ').includes(speed);

/** Whether the device asks for less motion. */
export const prefersReducedMotion = (): MediaQueryList => matchMedia('(prefers-reduced-motion: reduce)');

/** Whether animations are off. */
export const reducesMotion = (settings: Settings): boolean =>
  settings.reducedMotion === 'on' ||
  (settings.reducedMotion === 'system' && prefersReducedMotion().matches);
