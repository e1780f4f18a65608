/** The form of a new game over the page. It is loaded when it is wanted, and goes with its page. */

import type { NewGame } from '../lobby/waiting/new-game';
import type { Dialog } from '../ui/page';

export class NewGameForm {
  private form: Dialog | 'loading' | null = null;
  /** Number of the last request to open it; a form that comes later is not shown. */
  private asked = 0;

  /**
   * `load` makes the form, which calls `closed` when the person has closed it; `failed`: it could not be loaded;
   * `closed`: it is no longer there.
   */
  constructor(
    private readonly load: (wanted: NewGame, closed: () => void) => Promise<Dialog>,
    private readonly failed: () => Promise<unknown>,
    private readonly changed: () => void,
    private readonly closed: () => void,
  ) {}

  /** Nothing happens while it is open. */
  async open(wanted: NewGame): Promise<void> {
    if (this.form !== null) return;
    const asked = ++this.asked;
    this.form = 'loading';
    const closed = () => {
      this.form = null;
      this.closed();
    };
    const form = await this.load(wanted, closed).catch(() => null);
    // Another page is shown now, perhaps with a form of its own.
    if (asked !== this.asked) return form?.close();
    this.form = form;
    if (form === null) await this.failed();
    else this.changed();
  }

  /** With its page. */
  close(): void {
    const { form } = this;
    this.asked += 1;
    this.form = null;
    if (form !== 'loading') form?.close();
  }

  draw(): void {
    if (this.form !== 'loading') this.form?.draw();
  }
}
