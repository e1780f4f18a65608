/**
 * Settings that were changed and not saved on the server yet. They are kept one by one, so that they do not overwrite
 * changes from elsewhere, with the user who made them.
 */

import type { KeyValueStorage } from '../browser/storage';
import { validSettings, type Settings } from './settings';

interface Noted {
  /** Null: chosen before there was a user, for the next one. */
  owner: string | null;
  values: Partial<Settings>;
}

const NAME = 'settings.unsaved';

export class UnsavedSettings {
  /** For a browser without storage. */
  private kept: Noted = { owner: null, values: {} };

  constructor(private readonly storage: KeyValueStorage | null) {}

  /** Changes to save for `owner`. */
  of(owner: string): Partial<Settings> {
    const noted = this.read();
    return noted.owner === null || noted.owner === owner ? noted.values : {};
  }

  /** `owner` has changed `values`. Unsaved changes of another user are dropped. */
  add(owner: string | null, values: Partial<Settings>): void {
    const noted = this.read();
    const same = noted.owner === owner || noted.owner === null;
    this.write({ owner, values: same ? { ...noted.values, ...values } : values });
  }

  /** The server has saved `sent`; later changes stay. */
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
      // The storage is full: remembered until the page is left.
    }
  }
}
