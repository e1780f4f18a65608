/**
 * How the person likes it: typed values with defaults, kept in the browser, and on the server for whoever has a name.
 *
 * `settings.now.sound` reads; `settings.set('sound', false)` changes, stores, and tells every listener. What is stored
 * is not trusted: a value that its own rule does not know falls back to the default.
 */

export const SPEEDS = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence', 'unlimited'] as const;
export type Speed = (typeof SPEEDS)[number];

interface Rule<T> {
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
  /** Piece letters of the moves list. */
  letters: choice(['english', 'figurine', 'german', 'french', 'spanish'], 'english'),
  clockTenths: choice(['never', 'low', 'always'], 'low'),
  sound: flag(true),
  /** 0 to 1. */
  volume: range(0.7, 0, 1),
  speech: flag(false),
  textMode: flag(false),
} as const;

type Values = typeof RULES;
export type SettingName = keyof Values;
export type Settings = { -readonly [K in SettingName]: Values[K] extends Rule<infer T> ? T : never };

export const DEFAULTS = Object.fromEntries(
  Object.entries(RULES).map(([name, { initial }]) => [name, initial]),
) as unknown as Settings;

/** Settings from whatever was stored, foreign and broken values left out. */
export function settingsFrom(stored: unknown): Settings {
  const found = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const known = Object.entries(RULES).filter(([name, rule]) => (rule as Rule<unknown>).accepts(found[name]));
  return { ...DEFAULTS, ...Object.fromEntries(known.map(([name]) => [name, found[name]])) };
}

/** Whether the person wants to be asked before a move of a game at this speed is sent. */
export const confirmsMoves = (settings: Settings, speed: string): boolean =>
  settings.confirmMoves.split(' ').includes(speed);

/** Whether pieces and pages should keep still. */
export const keepsStill = (settings: Settings): boolean =>
  settings.reducedMotion === 'on' ||
  (settings.reducedMotion === 'system' && matchMedia('(prefers-reduced-motion: reduce)').matches);

/** Where the settings are kept besides: the server. Both may fail quietly, the browser has them. */
export interface Remote {
  load(): Promise<unknown>;
  save(settings: Settings): Promise<void>;
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const SHELF = 'settings';
/** Set while the browser knows something that the server does not. */
const UNSAVED = 'settings.unsaved';
/** A slider moves through many values: the server gets the one it stays at. */
const SAVE_AFTER_MS = 800;

export class SettingsStore {
  now: Settings;
  private readonly listeners = new Set<(settings: Settings) => void>();
  private owner: string | null = null;
  private saving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly shelf: Shelf | null,
    private readonly remote: Remote | null = null,
  ) {
    this.now = this.stored();
  }

  set<K extends SettingName>(name: K, value: Settings[K]): void {
    if (this.now[name] === value) return;
    this.now = { ...this.now, [name]: value };
    this.put(SHELF, JSON.stringify(this.now));
    this.put(UNSAVED, '1');
    this.tell();
    this.saveSoon();
  }

  /** Be told of every change from now on; the answer ends it. */
  listen(listener: (settings: Settings) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Another tab of the browser changed something. */
  reread(): void {
    this.now = this.stored();
    this.tell();
  }

  /** The person is known now: take what the server has for him, or give it what was chosen here. */
  async follow(user: string | null): Promise<void> {
    if (user === this.owner) return;
    this.owner = user;
    if (user === null || this.remote === null) return;
    if (this.got(UNSAVED) !== null) return this.saveSoon();
    const found = await this.remote.load().catch(() => null);
    const empty = typeof found !== 'object' || found === null || Object.keys(found).length === 0;
    // Nothing there yet, or the person changed something while this was under way.
    if (empty || this.owner !== user || this.got(UNSAVED) !== null) return;
    this.now = settingsFrom(found);
    this.put(SHELF, JSON.stringify(this.now));
    this.tell();
  }

  private saveSoon(): void {
    if (this.remote === null || this.owner === null) return;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  private async save(): Promise<void> {
    const sent = this.now;
    try {
      await this.remote?.save(sent);
      if (this.now === sent) this.shelf?.removeItem(UNSAVED);
    } catch {
      // Kept as unsaved: the next page that knows the person tries again.
    }
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.now);
  }

  private stored(): Settings {
    try {
      return settingsFrom(JSON.parse(this.got(SHELF) ?? '{}'));
    } catch {
      return DEFAULTS;
    }
  }

  private got(name: string): string | null {
    return this.shelf?.getItem(name) ?? null;
  }

  private put(name: string, value: string): void {
    try {
      this.shelf?.setItem(name, value);
    } catch {
      // The browser keeps nothing (full, or forbidden): it holds until the page is left.
    }
  }
}
