/** The tab says that it is the person's move: in its title and its icon. */

import { say } from '../words/words';

const CALM = '/icon.svg';
const CALLING = '/icon-move.svg';

export class TabTitle {
  private title = '';
  private written = '';
  private shown = false;

  /** Call after anything was drawn. Pages set `document.title` as they like; it is kept behind the call. */
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
