/**
 * Reloads the page when a chunk cannot be loaded: after a deploy its name has changed, and a browser may cache the
 * failure. A reload helps if the server is reachable.
 */

import type { KeyValueStorage } from './storage';

const TRIED = 'reloaded';
/** Timeout of the check. */
const ANSWER_MS = 5_000;

export class StalePageReloader {
  /** `storage`: of the tab. Without it nothing is reloaded, as that might never end. */
  constructor(
    private readonly storage: KeyValueStorage | null,
    private readonly location: Pick<Location, 'href' | 'reload'>,
  ) {}

  /** A chunk was loaded. */
  loaded(): void {
    this.storage?.removeItem(TRIED);
  }

  /** Reload once; returns whether it does. */
  async reloadOnce(): Promise<boolean> {
    const { href } = this.location;
    if (this.storage === null || this.storage.getItem(TRIED) === href || !(await isServed(href))) return false;
    if (this.location.href !== href) return true; // the person has left the page
    try {
      this.storage.setItem(TRIED, href);
    } catch {
      return false;
    }
    this.location.reload();
    return true;
  }
}

async function isServed(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })).ok;
  } catch {
    return false;
  }
}
