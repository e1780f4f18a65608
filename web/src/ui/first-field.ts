/** The field that a page is for: it has the focus when the page appears. */

/** Not on a touch screen, where the keyboard would cover the page unasked. Call after drawing. */
export function focusField(field: HTMLElement | null): void {
  if (matchMedia('(pointer: fine)').matches) field?.focus({ preventScroll: true });
}
