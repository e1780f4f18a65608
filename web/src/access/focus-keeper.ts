/**
 * What has the focus may be drawn away: an offer's buttons when it is answered, a button that is switched off. Then
 * the browser drops the focus, and who goes by keyboard or ear is thrown to the top of the page. This puts it on what
 * is left around the place instead.
 */

export class Focus {
  private had: HTMLElement | null = null;
  private around: HTMLElement[] = [];
  private due = false;

  /** Call before each drawing. `always`: also for who clicked, whose focus nobody sees. */
  keep(always: boolean): void {
    if (this.due) return;
    const now = document.activeElement;
    if (!(now instanceof HTMLElement) || now === document.body) return;
    if (!always && !now.matches(':focus-visible')) return;
    this.had = now;
    this.around = [];
    for (let next = now.parentElement; next !== null && next !== document.body; next = next.parentElement) {
      this.around.push(next);
    }
    this.due = true;
    queueMicrotask(() => this.restore());
  }

  private restore(): void {
    this.due = false;
    const { had } = this;
    this.had = null;
    if (had === null || (document.activeElement !== document.body && document.activeElement !== had)) return;
    if (had.isConnected && !had.matches(':disabled')) {
      // Moved to another place it loses the focus as well.
      had.focus({ preventScroll: true });
      return;
    }
    const place = this.around.find((element) => element.isConnected);
    if (place === undefined) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
}
