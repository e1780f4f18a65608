/** Shows in the tab's title and icon that it is the person's move. */

import { say } from '../words/words';

const CALM = '/icon.svg';
const CALLING = '/icon-move.svg';

export class TabTitle {
  private title = '';
  private written = '';
  private shown = false;

  /** Call after each draw. Pages set `document.title` freely; the notice goes before it. */
  show(yourMove: boolean): void {
    if (document.title !== this.written) this.title = document.title;
    this.written = yourMove ? `${say('app.your-move')} · ${this.title}` : this.title;
    if (document.title !== this.written) document.title = this.written;
    if (this.shown === yourMove) return;
    this.shown = yourMove;
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (link) link.href = yourMove ? CALLING : CALM;
  }
}
