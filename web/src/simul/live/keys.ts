/** Keys to go from board to board, anywhere but in a field. */

export interface KeyActions {
  /** In the order of the grid. */
  next(): void;
  previous(): void;
  waiting(): void;
  /** Focus the input for a number. */
  jump(): void;
  later(): void;
  /** Follow the host, or stop following. */
  follow(): void;
  help(): void;
}

const KEYS = { n: 'next', p: 'previous', w: 'waiting', j: 'jump', l: 'later', h: 'follow', '?': 'help' } as const satisfies Record<string, keyof KeyActions>;

/** A closed dialog keeps the focus until the next frame. */
const OWN_KEYS = 'input, textarea, select, dialog[open], [contenteditable], [role=grid]';

export class Keys {
  constructor(private readonly actions: KeyActions) {
    document.addEventListener('keydown', this.key);
  }

  close(): void {
    document.removeEventListener('keydown', this.key);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.closest(OWN_KEYS)) return;
    const way = KEYS[event.key.toLowerCase() as keyof typeof KEYS];
    if (way === undefined) return;
    event.preventDefault();
    this.actions[way]();
  };
}
