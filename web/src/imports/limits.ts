/** What may be brought at once, as docs/protocol.md has it. */

export const MOST_BYTES = 64 * 1024 * 1024;
/** Characters of what an import is called. */
export const LONGEST_NAME = 80;
