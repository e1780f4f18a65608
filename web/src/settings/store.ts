/** The settings of now: read, changed, and kept in the browser and on the server. */

import type { KeyValueStorage } from '../browser/storage';
import { DEFAULTS, settingsFrom, type SettingName, type Settings } from './settings';
import { UnsavedSettings } from './unsaved-settings';

/** Where the settings are kept besides: the server. Both may fail quietly, the browser has them. */
export interface Remote {
  /** What was saved last; an empty object at first. */
  load(): Promise<unknown>;
  /** `leaving`: the page is being left, and nobody hears the answer. */
  save(settings: Settings, leaving?: boolean): Promise<void>;
}

const SHELF = 'settings';
/** A slider moves through many values: the server gets the one it stays at. */
const SAVE_AFTER_MS = 800;

export class SettingsStore {
  now: Settings;
  private readonly listeners = new Set<(settings: Settings) => void>();
  private readonly unsaved: UnsavedSettings;
  private owner: string | null = null;
  /** What the server had for the owner when it was last asked. */
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

  /** The person is known now: take what the server has for him, and give it what was chosen here. */
  async setUser(user: string | null): Promise<void> {
    if (user === this.owner) return;
    this.owner = user;
    this.known = null;
    clearTimeout(this.saving);
    await this.sync();
  }

  /** The page is being left, or hidden: what was chosen a moment ago goes to the server now. */
  flush(): void {
    const { owner, known } = this;
    if (owner === null || known === null) return;
    const wanted = { ...known, ...this.unsaved.of(owner) };
    if (same(known, wanted)) return;
    this.known = wanted;
    // Noted as unsaved until this page, if it was only hidden, or the next has seen that it arrived.
    void this.remote?.save(wanted, true).catch(() => undefined);
  }

  private saveSoon(): void {
    if (this.remote === null || this.owner === null) return;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => void this.sync(), SAVE_AFTER_MS);
  }

  /** One exchange with the server at a time: the last to be sent is the last to arrive. */
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
      // Kept as unsaved: the next change, or the next page that knows the person, tries again.
    }
  }

  private take(settings: Settings): void {
    if (same(this.now, settings)) return;
    this.now = settings;
    try {
      this.storage?.setItem(SHELF, JSON.stringify(settings));
    } catch {
      // The browser keeps nothing (full, or forbidden): it holds until the page is left.
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
