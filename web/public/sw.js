/*
 * Caches the offline page. Everything else goes to the server: assets have hashes and are in the browser's cache, and a
 * game cannot be cached.
 */
const CACHE = 'offline-1';
const KEPT = ['/offline.html', '/offline.css', '/icon.svg'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(KEPT))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
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

/* A click on a notification that the worker has shown: lead the open page there, or open one. */
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
