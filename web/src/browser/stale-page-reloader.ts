/**
 * A page that comes in a file of its own, and does not come: after the server was renewed that file has another name,
 * and a browser may hold on to the failure besides. To load the whole page anew helps, where the server is there.
 */

import type { KeyValueStorage } from './storage';

const TRIED = 'reloaded';
/** Nobody waits longer for a page that may not come. */
const ANSWER_MS = 5_000;

export class StalePageReloader {
  /** `storage`: of the tab; without one nothing is loaded anew, since that might go on for ever. */
  constructor(
    private readonly storage: KeyValueStorage | null,
    private readonly location: Pick<Location, 'href' | 'reload'>,
  ) {}

  /** Such a file has come. */
  loaded(): void {
    this.storage?.removeItem(TRIED);
  }

  /** Load the whole page anew, once; whether that is under way. */
  async reloadOnce(): Promise<boolean> {
    const { href } = this.location;
    if (this.storage === null || this.storage.getItem(TRIED) === href || !(await isServed(href))) return false;
    if (this.location.href !== href) return true; // the person has gone on
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
