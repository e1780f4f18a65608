/** Instants (Unix milliseconds) as people read them, in the way of their browser and their time zone. */

/** `5 Mar 2026`. */
export const day = (at: number): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** `5 Mar 2026, 17:40`. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
