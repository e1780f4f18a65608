/** The question before an action that cannot be undone: a second click on its button, within some seconds, confirms it. */

/** As long as it takes to read the question. */
const OPEN_FOR_MS = 5_000;

export class ActionQuestion {
  /** The action that waits for its second click. */
  asked: string | null = null;
  private expiry: ReturnType<typeof setTimeout> | undefined;

  /** `tell`: speak to screen readers; `cancelled`: what is said when the person did not confirm. */
  constructor(
    private readonly changed: () => void,
    private readonly tell: (text: string) => void,
    private readonly cancelled: () => string,
  ) {}

  /** Ask; `text` is told. */
  ask(action: string, text: string): void {
    this.clear();
    this.asked = action;
    this.expiry = setTimeout(() => this.cancel(), OPEN_FOR_MS);
    // Before what is pressed handles it: another button may ask its own question.
    document.addEventListener('pointerdown', this.pressed, { capture: true });
    this.tell(text);
    this.changed();
  }

  /** Returns whether there was a question. */
  cancel(): boolean {
    if (this.asked === null) return false;
    this.clear();
    this.tell(this.cancelled());
    this.changed();
    return true;
  }

  /** It was answered, or there is nothing to ask any more. */
  clear(): void {
    if (this.asked === null) return;
    this.asked = null;
    clearTimeout(this.expiry);
    document.removeEventListener('pointerdown', this.pressed, { capture: true });
  }

  /** A press anywhere else cancels. */
  private readonly pressed = (event: Event): void => {
    const within = event.target instanceof Element ? event.target.closest(`[data-testid=${this.asked}], .asked`) : null;
    if (within === null) this.cancel();
  };
}
