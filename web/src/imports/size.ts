/** Sizes in bytes, as text. */

import { say } from '../words/words';

const KB = 1024;
const MB = 1024 * KB;

/** `12 kB`, `3.5 MB`; never 0 for a file that is not empty. */
export function size(bytes: number): string {
  if (bytes < MB) return say('size.kb', { n: Math.ceil(bytes / KB) });
  const mb = bytes / MB;
  return say('size.mb', { n: mb < 10 ? Math.floor(mb * 10) / 10 : Math.floor(mb) });
}
