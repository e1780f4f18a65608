/** Navigation: the page of the current address, the history, and links within the application. */

import { html, render } from 'lit-html';
import type { StalePageReloader } from '../browser/stale-page-reloader';
import { newGameAt, type NewGame } from '../lobby/waiting/new-game';
import type { Page } from '../ui/page';

export interface NavigationEvents {
  /** The page has closed; that of the current address comes. */
  left(): void;
  /** The page has changed. */
  changed(): void;
  /** An address or a link asks for the form of a new game. */
  wanted(form: NewGame): void;
}

export class Navigation {
  /** The open page; null until it is loaded. */
  page: Page | null = null;
  /** Its path. */
  path = '';
  /** Path and query of the page when it was made. */
  private address = '';

  /** Draws into `element`. `pageOf` makes a page; one that cannot be loaded is reloaded once, or is `broken`. */
  constructor(
    private readonly element: HTMLElement,
    private readonly pageOf: (path: string) => Page | Promise<Page>,
    private readonly broken: () => Page,
    private readonly stalePage: StalePageReloader,
    private readonly events: NavigationEvents,
  ) {
    // A change of the fragment only stays on the page.
    addEventListener('popstate', () => here() === this.address || this.show());
    document.addEventListener('click', (event) => this.follow(event));
  }

  navigate(path: string): void {
    if (path === here() && this.page !== null) return;
    history.pushState(null, '', path);
    this.show();
    scrollTo(0, 0);
    // The focus moves to the new page, for Tab and for screen readers.
    this.element.focus({ preventScroll: true });
  }

  /** The page shows something else now: add `path` to the history without loading a page. */
  pushAddress(path: string): void {
    if (path === here()) return;
    history.pushState(null, '', path);
    this.address = here();
  }

  /** The form of a new game has closed: a reload of the page opens none. */
  formClosed(): void {
    if (newGameAt(location) === null) return;
    history.replaceState(null, '', '/');
    this.address = here();
  }

  /** Load the page of the current address. */
  show(): void {
    const left = this.page;
    // Cleared before closing: an error there must not block navigation.
    this.page = null;
    left?.close();
    this.events.left();
    const path = location.pathname;
    this.path = path;
    this.address = here();
    render(html``, this.element);
    const made = this.pageOf(path);
    if (made instanceof Promise) {
      const wanted = (page: Page) => (this.path === path && this.page === null ? this.put(page) : page.close());
      made.then(
        (page) => {
          this.stalePage.loaded();
          wanted(page);
        },
        async () => (await this.stalePage.reloadOnce()) || wanted(this.broken()),
      );
      this.events.changed();
    } else {
      this.put(made);
    }
    const form = newGameAt(location);
    if (form !== null) this.events.wanted(form);
  }

  private put(page: Page): void {
    this.page = page;
    this.events.changed();
  }

  /** Links within the application do not reload the document. */
  private follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a[data-page]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // It may lead to the page that is open.
    link.closest<HTMLElement>('[popover]')?.hidePopover();
    const form = newGameAt(link);
    if (form === null) this.navigate(link.pathname + link.search);
    else this.events.wanted(form);
  }
}

const here = (): string => location.pathname + location.search;
