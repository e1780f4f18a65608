/** Steps through the moves by keys, and by the mouse wheel over the board. */

import type { PlyNavigation } from './ply-navigation';

export interface NavigationActions {
  /** Half-moves played; null before the game is known. */
  plies(): number | null;
  flip(): void;
  zen(): void;
  hint(): void;
  escape(): void;
  /** The input for moves; null if there is none. */
  typing(): HTMLInputElement | null;
}

/** Elements that handle keys themselves. */
const OWN_KEYS = 'input, textarea, select, [role=grid], [role=radiogroup], [contenteditable]';
/** Dialogs and lists over the page; not what only shows something, as tooltips do. */
export const OVER_GAME = 'dialog[open], :popover-open:not([popover=manual])';
/** These keys do nothing in an empty input. */
const STEPPING = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
/** Characters of moves and commands, in any language. `z` is zen mode. */
const SIGN = /^(?!z$)[\p{L}0-9/?]$/iu;
/** A mouse wheel turns in notches of about this; touchpads in many small steps. */
const NOTCH = 50;
const LINE = 18;

const isEmptyText = (element: Element): boolean =>
  element instanceof HTMLInputElement && element.type === 'text' && element.value === '';

export class NavigationInput {
  private turned = 0;

  constructor(
    private readonly board: HTMLElement,
    private readonly navigation: PlyNavigation,
    private readonly ways: NavigationActions,
  ) {
    document.addEventListener('keydown', this.key);
    board.addEventListener('wheel', this.wheel, { passive: false });
  }

  close(): void {
    document.removeEventListener('keydown', this.key);
    this.board.removeEventListener('wheel', this.wheel);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // Something lies over the game, and takes the keys. Escape closes it after this event.
    if (document.querySelector(OVER_GAME) !== null) return;
    if (event.key === 'Escape') return this.ways.escape();
    const { target } = event;
    const stepping = STEPPING.includes(event.key);
    if (target instanceof Element && target.closest(OWN_KEYS) && !(stepping && isEmptyText(target))) return;
    if (SIGN.test(event.key) && this.write()) return;
    const plies = this.ways.plies();
    if (plies === null) return;
    if (event.key === 'f') this.ways.flip();
    else if (event.key === 'z') this.ways.zen();
    else if (event.key === 'h') this.ways.hint();
    else if (this.navigation.press(event.key, plies)) event.preventDefault();
  };

  /** A character that starts a move goes to the input: it follows the focus. */
  private write(): boolean {
    const input = this.ways.typing();
    // On touch devices the input is hidden.
    if (input === null || input.offsetParent === null) return false;
    input.focus({ preventScroll: true });
    return true;
  }

  private readonly wheel = (event: WheelEvent): void => {
    const plies = this.ways.plies();
    if (event.ctrlKey || plies === null || plies === 0) return;
    event.preventDefault();
    this.turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE;
    if (Math.abs(this.turned) < NOTCH) return;
    const way = Math.sign(this.turned);
    this.turned = 0;
    this.navigation.go(this.navigation.ply(plies) + way, plies);
  };
}
