/**
 * The device's own notifications, for who looks at something else.
 *
 * The person has to want them here, in the settings, and the browser has to allow them. A phone's browser shows them
 * only by the service worker, which then also leads to the page.
 */

export class Notifications {
  constructor(
    private readonly settings: { readonly now: { readonly notify: boolean } },
    private readonly navigate: (path: string) => void,
  ) {
    // Only our own worker can speak there.
    navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ path?: unknown } | null>) => {
      if (typeof data?.path === 'string') navigate(data.path);
    });
  }

  /** Of `tag` the newest takes the place of the others. To click it leads to `path`. */
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

/** Whether the browser lets us. */
export const isAllowed = (): boolean => 'Notification' in window && Notification.permission === 'granted';

/** Whether the browser would not even ask the person. */
export const isRefused = (): boolean => !('Notification' in window) || Notification.permission === 'denied';

/** Ask the person, within his click; whether he allows it. */
export async function allow(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

async function byWorker(title: string, options: NotificationOptions): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, options).catch(() => undefined);
}
