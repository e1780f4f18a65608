/** Going through the moves by keys and by the wheel over the board. */

import type { PlyNavigation } from './ply-navigation';

export interface NavigationActions {
  /** Half-moves played; null before the game is known. */
  plies(): number | null;
  flip(): void;
  zen(): void;
  escape(): void;
  /** Where moves are typed; null when nowhere. */
  typing(): HTMLInputElement | null;
}

/** What has its own use for keys. */
const OWN_KEYS = 'input, textarea, select, [role=grid], [role=radiogroup], [contenteditable]';
/** In a text that is empty these mean nothing. */
const STEPPING = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
/** Moves and commands are made of these, in the letters of any language; `z` is for something else. */
const SIGN = /^(?!z$)[\p{L}0-9/?]$/iu;
/** Wheels turn in notches of about this; touchpads in many small parts of it. */
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
    if (event.key === 'Escape') return this.ways.escape();
    const { target } = event;
    const stepping = STEPPING.includes(event.key);
    if (target instanceof Element && target.closest(OWN_KEYS) && !(stepping && isEmptyText(target))) return;
    if (SIGN.test(event.key) && this.write()) return;
    const plies = this.ways.plies();
    if (plies === null) return;
    if (event.key === 'f') this.ways.flip();
    else if (event.key === 'z') this.ways.zen();
    else if (this.navigation.press(event.key, plies)) event.preventDefault();
  };

  /** What begins a move is written where moves are typed: the sign itself follows the focus there. */
  private write(): boolean {
    const input = this.ways.typing();
    // A finger's device has none to be seen.
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
