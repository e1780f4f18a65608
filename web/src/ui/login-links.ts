/** The ways in: where one comes from and goes back to, and what is said to who is in already. */

const DOORS = ['/login', '/signup', '/forgotten'];

/** The address of a door that leads back to `from` afterwards. */
export function authLink(way: '/login' | '/signup' | '/forgotten', from: string): string {
  const back = DOORS.some((path) => from.startsWith(path)) ? wanted(from) : from;
  return back === '/' ? way : `${way}?next=${encodeURIComponent(back)}`;
}

/** Where to after it, as the present address says; never to another site. */
export const nextPath = (): string => wanted(location.pathname + location.search);

function wanted(address: string): string {
  const next = new URL(address, location.origin).searchParams.get('next') ?? '/';
  // A second slash or a backslash would be another server's name.
  return /^\/(?![/\\])/.test(next) && new URL(next, location.origin).origin === location.origin ? next : '/';
}
