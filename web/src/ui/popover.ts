/** A menu that pops over, beside the button before it, or something that pops over beside another element. */

/** Gap between button and menu, in pixels. */
const GAP = 4;

/**
 * Below its button, or above it if the header is at the bottom. Positioned in the document, so that it scrolls along.
 */
export function placeMenu(menu: HTMLElement, beside: Element | null = menu.previousElementSibling): void {
  const button = beside?.getBoundingClientRect();
  if (!button) return;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const below = button.bottom + GAP;
  const top = below + height <= clientHeight ? below : Math.max(GAP, button.top - GAP - height);
  menu.style.top = `${top + scrollY}px`;
  menu.style.left = `${Math.max(GAP, Math.min(button.left, clientWidth - width - GAP)) + scrollX}px`;
}

/** Close the menu after a choice. */
export function closeMenu(event: Event): void {
  const way = event.target instanceof Element ? event.target.closest('a, button') : null;
  if (way) (event.currentTarget as HTMLElement).hidePopover();
}

/** All that one press is reported as, in order. */
const PRESS = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click'] as const;

/** A press outside of an open menu only closes it, which the browser does: nothing below gets the press. Call once. */
export function swallowClosingPresses(): void {
  let closes = false;
  const press = (event: UIEvent): void => {
    // A second finger changes nothing.
    if (event.type === 'pointerdown' && (event as PointerEvent).isPrimary) closes = isOutsideOfMenu(event.target);
    const swallows = closes;
    // The click ends the press: one that a script or assistive technology makes later has no press before it.
    if (event.type === 'click') closes = false;
    // Nor has one by a key, which has no detail.
    if (!swallows || (event.type === 'click' && event.detail === 0)) return;
    event.stopImmediatePropagation();
    // Otherwise links, buttons and labels act. A prevented touch would be no scroll.
    if (event.type === 'mousedown' || event.type === 'click') event.preventDefault();
  };
  for (const type of PRESS) addEventListener(type, press, { capture: true });
}

/** Whether a menu is open, and `target` is neither in one nor its button. */
export function isOutsideOfMenu(target: EventTarget | null): boolean {
  const open = [...document.querySelectorAll(':popover-open:not([popover=manual])')];
  if (open.length === 0 || !(target instanceof Element) || target.closest('[popover]') !== null) return false;
  return open.every(({ id }) => target.closest(`[popovertarget="${id}"]`) === null);
}
