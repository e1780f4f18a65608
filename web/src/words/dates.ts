/** Instants (Unix milliseconds) as people read them, in the way of their browser and their time zone. */

/** `5 Mar 2026`. */
export const day = (at: number): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** `5 Mar 2026, 17:40`. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The time of a day, with the day when it is another. */
export function instant(at: number): string {
  const when = new Date(at);
  const today = when.toDateString() === new Date().toDateString();
  return today ? when.toLocaleTimeString(undefined, { timeStyle: 'short' }) : moment(at);
}

/** As the server writes instants in its sentences: `2026-03-05 16:40 UTC`. */
const WRITTEN = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;

/** `text` with its instants in the person's own time. */
export const inOwnTime = (text: string): string =>
  text.replace(WRITTEN, (whole, date: string, time: string) => {
    const at = Date.parse(`${date}T${time}Z`);
    return Number.isNaN(at) ? whole : instant(at);
  });
