/**
 * System notifications for a person who looks elsewhere.
 *
 * The person must enable them in the settings, and the browser must allow them. On phones only the service worker can
 * show them; it then leads to the page.
 */

export class Notifications {
  constructor(
    private readonly settings: { readonly now: { readonly notify: boolean } },
    private readonly navigate: (path: string) => void,
  ) {
    // Only the page's own service worker posts there.
    navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ path?: unknown } | null>) => {
      if (typeof data?.path === 'string') navigate(data.path);
    });
  }

  /** A notification replaces the one with the same `tag`. A click leads to `path`. */
  show(tag: string, title: string, path: string): void {
    if (!isAllowed() || !this.settings.now.notify) return;
    const options = { tag, icon: '/icon-192.png', data: path };
    try {
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        shown.close();
        this.navigate(path);
      };
    } catch {
      void byWorker(title, options);
    }
  }
}

/** Whether the browser allows notifications. */
export const isAllowed = (): boolean => 'Notification' in window && Notification.permission === 'granted';

/** Whether the browser would refuse without asking. */
export const isRefused = (): boolean => !('Notification' in window) || Notification.permission === 'denied';

/** Ask the person, within a click. Returns whether they allow it. */
export async function allow(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

async function byWorker(title: string, options: NotificationOptions): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, options).catch(() => undefined);
}
