/** A menu that pops over the page, beside the button before it. */

/** Between the button and what it opens, in pixels. */
const GAP = 4;

/** Below its button, or above it where the header is below the page; in the page, so that it scrolls with it. */
export function placeMenu(menu: HTMLElement): void {
  const button = menu.previousElementSibling?.getBoundingClientRect();
  if (!button) return;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const below = button.bottom + GAP;
  const top = below + height <= clientHeight ? below : Math.max(GAP, button.top - GAP - height);
  menu.style.top = `${top + scrollY}px`;
  menu.style.left = `${Math.max(GAP, Math.min(button.left, clientWidth - width - GAP)) + scrollX}px`;
}

/** Whatever is chosen, the menu has done its work. */
export function closeMenu(event: Event): void {
  const way = event.target instanceof Element ? event.target.closest('a, button') : null;
  if (way) (event.currentTarget as HTMLElement).hidePopover();
}
