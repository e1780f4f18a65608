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
