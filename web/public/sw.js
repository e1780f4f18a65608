/*
 * Keeps one page for when there is no connection. Everything else goes to the server: the assets carry hashes and the
 * browser keeps them by itself, and a game is nothing that could be kept.
 */
const SHELF = 'offline-1';
const KEPT = ['/offline.html', '/offline.css', '/icon.svg'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELF)
      .then((shelf) => shelf.addAll(KEPT))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name)))),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/offline.html')));
  } else if (KEPT.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  }
});

/* A notification that a phone has shown: to the page that is open, or a new one. */
addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then(([page]) => {
      if (page === undefined) return clients.openWindow(notification.data);
      page.postMessage({ path: notification.data });
      return page.focus();
    }),
  );
});
