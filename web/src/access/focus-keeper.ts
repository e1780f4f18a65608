/**
 * What has the focus may be drawn away: an offer's buttons when it is answered, a button that is switched off. Then
 * the browser drops the focus, and who goes by keyboard or ear is thrown to the top of the page. This puts it on what
 * is left around the place instead.
 */

export class FocusKeeper {
  private focused: HTMLElement | null = null;
  private ancestors: HTMLElement[] = [];
  private due = false;

  /** Call before each drawing. `always`: also for who clicked, whose focus nobody sees. */
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
      // Moved to another place it loses the focus as well.
      focused.focus({ preventScroll: true });
      return;
    }
    const place = this.ancestors.find((element) => element.isConnected);
    if (place === undefined) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
}
