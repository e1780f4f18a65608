/** The current settings, kept in the browser and on the server. */

import type { KeyValueStorage } from '../browser/storage';
import { DEFAULTS, settingsFrom, type SettingName, type Settings } from './settings';
import { UnsavedSettings } from './unsaved-settings';

/** The server's copy. Failures are silent, as the browser has a copy too. */
export interface Remote {
  /** What was saved last; an empty object at first. */
  load(): Promise<unknown>;
  /** `leaving`: the page is being left, and nobody waits for the answer. */
  save(settings: Settings, leaving?: boolean): Promise<void>;
}

const SHELF = 'settings';
/** A slider passes many values: only the last one is saved. */
const SAVE_AFTER_MS = 800;

export class SettingsStore {
  now: Settings;
  private readonly listeners = new Set<(settings: Settings) => void>();
  private readonly unsaved: UnsavedSettings;
  private owner: string | null = null;
  /** The server's copy when last loaded. */
  private known: Settings | null = null;
  private saving: ReturnType<typeof setTimeout> | undefined;
  private exchange: Promise<void> = Promise.resolve();

  constructor(
    private readonly storage: KeyValueStorage | null,
    private readonly remote: Remote | null = null,
  ) {
    this.unsaved = new UnsavedSettings(storage);
    this.now = this.stored();
  }

  set<K extends SettingName>(name: K, value: Settings[K]): void {
    if (this.now[name] === value) return;
    this.unsaved.add(this.owner, { [name]: value });
    this.take({ ...this.now, [name]: value });
    this.saveSoon();
  }

  /** Call `listener` after each change; the result unsubscribes. */
  listen(listener: (settings: Settings) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Another tab changed the settings. */
  reread(): void {
    this.now = this.stored();
    this.tell();
  }

  /** The user is known: load their settings, and save what was chosen here. */
  async setUser(user: string | null): Promise<void> {
    if (user === this.owner) return;
    this.owner = user;
    this.known = null;
    clearTimeout(this.saving);
    await this.sync();
  }

  /** The page is left or hidden: save recent changes now. */
  flush(): void {
    const { owner, known } = this;
    if (owner === null || known === null) return;
    const wanted = { ...known, ...this.unsaved.of(owner) };
    if (same(known, wanted)) return;
    this.known = wanted;
    // It stays marked as unsaved until this page or the next has seen that it arrived.
    void this.remote?.save(wanted, true).catch(() => undefined);
  }

  private saveSoon(): void {
    if (this.remote === null || this.owner === null) return;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => void this.sync(), SAVE_AFTER_MS);
  }

  /** One exchange at a time, so that requests arrive in order. */
  private sync(): Promise<void> {
    this.exchange = this.exchange.then(() => this.syncOnce());
    return this.exchange;
  }

  private async syncOnce(): Promise<void> {
    const { owner, remote } = this;
    if (owner === null || remote === null) return;
    try {
      const found = await remote.load();
      if (this.owner !== owner) return;
      const values = this.unsaved.of(owner);
      const nothing = typeof found !== 'object' || found === null || Object.keys(found).length === 0;
      const there = nothing ? this.now : settingsFrom(found);
      const wanted = { ...there, ...values };
      this.known = there;
      this.take(wanted);
      if (!same(there, wanted) || (nothing && Object.keys(values).length > 0)) {
        await remote.save(wanted);
        if (this.owner === owner) this.known = wanted;
      }
      this.unsaved.saved(owner, wanted);
    } catch {
      // It stays marked as unsaved; the next change or page tries again.
    }
  }

  private take(settings: Settings): void {
    if (same(this.now, settings)) return;
    this.now = settings;
    try {
      this.storage?.setItem(SHELF, JSON.stringify(settings));
    } catch {
      // No storage: the settings last until the page is left.
    }
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.now);
  }

  private stored(): Settings {
    try {
      return settingsFrom(JSON.parse(this.storage?.getItem(SHELF) ?? '{}'));
    } catch {
      return DEFAULTS;
    }
  }
}

const same = (one: Settings, other: Settings): boolean =>
  (Object.keys(DEFAULTS) as SettingName[]).every((name) => one[name] === other[name]);
