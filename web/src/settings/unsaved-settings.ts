/**
 * What a person has chosen and the server does not know yet: setting by setting, so that it takes nothing along that
 * was chosen elsewhere meanwhile, and with whose it is.
 */

import type { KeyValueStorage } from '../browser/storage';
import { validSettings, type Settings } from './settings';

interface Noted {
  /** Null: chosen before there was anybody, for whoever comes. */
  owner: string | null;
  values: Partial<Settings>;
}

const NAME = 'settings.unsaved';

export class UnsavedSettings {
  /** For a browser that keeps nothing. */
  private kept: Noted = { owner: null, values: {} };

  constructor(private readonly storage: KeyValueStorage | null) {}

  /** What is to be saved for `owner`. */
  of(owner: string): Partial<Settings> {
    const noted = this.read();
    return noted.owner === null || noted.owner === owner ? noted.values : {};
  }

  /** `owner` has chosen this. What somebody else before him could not save is given up. */
  add(owner: string | null, values: Partial<Settings>): void {
    const noted = this.read();
    const same = noted.owner === owner || noted.owner === null;
    this.write({ owner, values: same ? { ...noted.values, ...values } : values });
  }

  /** The server has `sent`: what was chosen since stays. */
  saved(owner: string, sent: Settings): void {
    const values: Record<string, unknown> = { ...this.of(owner) };
    for (const [name, value] of Object.entries(sent)) if (values[name] === value) delete values[name];
    if (Object.keys(values).length > 0) this.write({ owner, values: validSettings(values) });
    else if (this.read().owner === null || this.read().owner === owner) this.write({ owner: null, values: {} });
  }

  private read(): Noted {
    const text = this.storage?.getItem(NAME);
    if (text === undefined || text === null) return this.kept;
    try {
      const found = JSON.parse(text) as Partial<Noted> | null;
      return { owner: typeof found?.owner === 'string' ? found.owner : null, values: validSettings(found?.values) };
    } catch {
      return { owner: null, values: {} };
    }
  }

  private write(noted: Noted): void {
    this.kept = noted;
    try {
      if (Object.keys(noted.values).length === 0) this.storage?.removeItem(NAME);
      else this.storage?.setItem(NAME, JSON.stringify(noted));
    } catch {
      // The browser is full: it is remembered until the page is left.
    }
  }
}
