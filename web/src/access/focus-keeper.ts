/**
 * Keeps the focus near its place when the focused element disappears or is disabled. The browser would drop it to the
 * top of the page, where keyboard and screen reader users would have to start over.
 */

export class FocusKeeper {
  private focused: HTMLElement | null = null;
  private ancestors: HTMLElement[] = [];
  private due = false;

  /** Call before each draw. `always`: also after a click, whose focus is not visible. */
  keep(always: boolean): void {
    if (this.due) return;
    const now = document.activeElement;
    if (!(now instanceof HTMLElement) || now === document.body) return;
    if (!always && !now.matches(':focus-visible')) return;
    this.focused = now;
    this.ancestors = [];
    for (let next = now.parentElement; next !== null && next !== document.body; next = next.parentElement) {
      this.ancestors.push(next);
    }
    this.due = true;
    queueMicrotask(() => this.restore());
  }

  private restore(): void {
    this.due = false;
    const { focused } = this;
    this.focused = null;
    if (focused === null || (document.activeElement !== document.body && document.activeElement !== focused)) return;
    if (focused.isConnected && !focused.matches(':disabled')) {
      // Moving an element in the document drops its focus too.
      focused.focus({ preventScroll: true });
      return;
    }
    const place = this.ancestors.find((element) => element.isConnected);
    if (place === undefined) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
}
