/**
 * A small board beside the name of a player, while the mouse rests on it or the keyboard focus is there. Names are links
 * to profiles, wherever they are.
 */

import { call, userAddress } from '../net/api';
import type { UserStatus } from '../net/protocol';
import type { AppServices } from '../session/services';
import type { GamePreview } from './game-preview';

/** The mouse passes over many names on its way. */
const RESTS_MS = 300;
/** From the name to the board. */
const LEAVES_MS = 200;
/** Names in the header are the person's own. */
const NAMES = 'a[href^="/user/"]:not(#bar a)';

export class NameHover {
  private name: HTMLAnchorElement | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private preview: GamePreview | null = null;
  /** Number of the last name; older answers are ignored. */
  private asked = 0;

  constructor(
    private readonly app: Pick<AppServices, 'settings' | 'socket'>,
    root: Document,
  ) {
    root.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && this.over(event.target));
    // Out of the window.
    root.addEventListener('pointerout', ({ relatedTarget }) => relatedTarget === null && this.over(root.documentElement));
    root.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && target.matches(NAMES) && target.matches(':focus-visible')) this.enter(target);
    });
    // A press on the board takes the focus from the name.
    root.addEventListener('focusout', ({ relatedTarget }) => this.preview?.contains(relatedTarget) || this.close());
    root.addEventListener('keydown', ({ key }) => key === 'Escape' && this.close());
    // Wherever it leads, the name is not looked at any more.
    root.addEventListener('pointerdown', ({ target }) => this.preview?.contains(target) || this.close());
    root.addEventListener('click', () => this.close());
  }

  private over(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const name = target.closest<HTMLElement>(NAMES);
    if (name !== null) {
      if (name !== this.name) this.enter(name);
      else if (this.preview !== null) clearTimeout(this.timer);
    } else if (this.preview?.contains(target)) {
      clearTimeout(this.timer);
    } else if (this.name !== null && !this.name.matches(':focus-visible')) {
      if (this.preview === null) this.close();
      else this.later(LEAVES_MS, () => this.close());
    }
  }

  private enter(name: HTMLElement): void {
    this.close();
    this.name = name as HTMLAnchorElement;
    const asked = this.asked;
    this.later(RESTS_MS, () => void this.show(name, asked));
  }

  private async show(name: HTMLElement, asked: number): Promise<void> {
    const { socket } = this.app;
    const person = decodeURIComponent((name as HTMLAnchorElement).pathname.slice('/user/'.length));
    if (person.toLowerCase() === socket.user?.name.toLowerCase()) return;
    const status = await call<UserStatus>('GET', userAddress(person, '/status')).catch(() => null);
    const g = status?.playing ?? null;
    // A game that the page follows is on the page.
    if (g === null || asked !== this.asked || socket.isSubscribed(`game:${g}`)) return;
    const made = await import('./game-preview').catch(() => null);
    if (made === null || asked !== this.asked || socket.isSubscribed(`game:${g}`)) return;
    this.preview = new made.GamePreview(this.app, name, person, g, () => this.close());
  }

  private close(): void {
    this.asked += 1;
    clearTimeout(this.timer);
    this.preview?.close();
    this.preview = null;
    this.name = null;
  }

  private later(ms: number, what: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(what, ms);
  }
}
