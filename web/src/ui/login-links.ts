/** Links to log in and sign up, which lead back afterwards. */

const DOORS = ['/login', '/signup', '/forgotten'];

/** The address of a log-in page that leads back to `from`. */
export function authLink(way: '/login' | '/signup' | '/forgotten', from: string): string {
  const back = DOORS.some((path) => from.startsWith(path)) ? wanted(from) : from;
  return back === '/' ? way : `${way}?next=${encodeURIComponent(back)}`;
}

/** Where to go after logging in, from the current address; never to another site. */
export const nextPath = (): string => wanted(location.pathname + location.search);

function wanted(address: string): string {
  const next = new URL(address, location.origin).searchParams.get('next') ?? '/';
  // A second slash or a backslash would name another server.
  return /^\/(?![/\\])/.test(next) && new URL(next, location.origin).origin === location.origin ? next : '/';
}
