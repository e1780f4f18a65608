/** Limits of an import (docs/protocol.md). */

export const MOST_BYTES = 64 * 1024 * 1024;
/** Characters of an import's name. */
export const LONGEST_NAME = 80;
