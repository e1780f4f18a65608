/** Times (Unix milliseconds) as text, in the browser's locale and time zone. */

/** `5 Mar 2026`. */
export const day = (at: number): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** `5 Mar 2026, 17:40`. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The time; with the day if it is not today. */
export function instant(at: number): string {
  const when = new Date(at);
  const today = when.toDateString() === new Date().toDateString();
  return today ? when.toLocaleTimeString(undefined, { timeStyle: 'short' }) : moment(at);
}

/** Times in the server's sentences: `2026-03-05 16:40 UTC`. */
const WRITTEN = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;

/** `text` with its times in the local time zone. */
export const inOwnTime = (text: string): string =>
  text.replace(WRITTEN, (whole, date: string, time: string) => {
    const at = Date.parse(`${date}T${time}Z`);
    return Number.isNaN(at) ? whole : instant(at);
  });
