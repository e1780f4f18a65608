/**
 * Tooltips of buttons and links that show only an icon: their accessible name, on hover and on keyboard focus. Escape
 * hides them, as does any press. Screen readers read the name at the control, and skip the tooltip.
 */

const CONTROLS = 'button, a, [role=button]';
const AFTER_MS = 350;
/** The control may go while its tooltip is shown; the browser tells nobody. */
const LOOKS_MS = 250;
/** Gap to the control and to the edges of the window, in pixels. */
const GAP = 6;

export class Tooltips {
  private readonly tip = document.createElement('div');
  private control: Element | null = null;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private ticker: ReturnType<typeof setInterval> | undefined;

  constructor() {
    this.tip.className = 'tip';
    this.tip.popover = 'manual';
    this.tip.setAttribute('aria-hidden', 'true');
    this.tip.dataset.testid = 'tip';
    document.body.append(this.tip);
    // A touch presses at once.
    document.addEventListener('pointerover', ({ pointerType, target }) => pointerType !== 'touch' && this.over(target));
    document.addEventListener('focusin', ({ target }) => target instanceof Element && target.matches(':focus-visible') && this.over(target));
    document.addEventListener('focusout', () => this.hide());
    document.addEventListener('pointerdown', () => this.hide(), { capture: true });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && this.hide(), { capture: true });
    document.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
  }

  private over(target: EventTarget | null): void {
    const control = target instanceof Element ? target.closest(CONTROLS) : null;
    if (control === this.control) return;
    this.hide();
    if (control === null || nameOfIcon(control) === '') return;
    this.control = control;
    this.pause = setTimeout(() => this.show(control), AFTER_MS);
  }

  private show(control: Element): void {
    // Its name may have changed meanwhile, or it may be gone.
    const name = control.isConnected ? nameOfIcon(control) : '';
    if (name === '') return;
    const { tip } = this;
    tip.textContent = name;
    tip.showPopover();
    this.ticker = setInterval(() => control.isConnected || this.hide(), LOOKS_MS);
    const box = control.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = tip;
    const { clientWidth, clientHeight } = document.documentElement;
    const below = box.bottom + GAP + height <= clientHeight;
    tip.style.top = `${below ? box.bottom + GAP : box.top - GAP - height}px`;
    tip.style.left = `${Math.max(GAP, Math.min(box.left + (box.width - width) / 2, clientWidth - width - GAP))}px`;
  }

  private hide(): void {
    clearTimeout(this.pause);
    clearInterval(this.ticker);
    this.control = null;
    if (this.tip.matches(':popover-open')) this.tip.hidePopover();
  }
}

/** The accessible name of a control without visible text; empty for others. */
function nameOfIcon(control: Element): string {
  const visible = control instanceof HTMLElement ? control.innerText.trim() : '';
  return visible === '' || visible === '×' ? (control.getAttribute('aria-label') ?? '') : '';
}
