/** Dialog with the keys of a simul's page. */

import { html, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import { say, type PlainKey } from '../../words/words';

export class KeysHelp {
  private readonly dialog = createRef<HTMLDialogElement>();

  /** `host`: with the host's keys. */
  draw(host: boolean): TemplateResult {
    const keys: readonly (readonly [string, PlainKey])[] = [
      ['n', 'simul.help.next'],
      ['p', 'simul.help.previous'],
      ['w', host ? 'simul.help.waiting.you' : 'simul.help.waiting'],
      ['j', 'simul.help.jump'],
      ...(host ? ([['l', 'simul.help.later']] as const) : ([['h', 'simul.help.follow']] as const)),
      ['← → ↑ ↓', 'simul.help.arrows'],
      ['Enter', 'simul.help.enter'],
      ['?', 'simul.help.help'],
    ];
    return html`<dialog ${ref(this.dialog)} class="simul-help" aria-labelledby="simul-help-title" data-testid="simul-help" @click=${(event: Event) => this.clickedOutside(event)}>
      <form method="dialog">
        <h2 id="simul-help-title">${say('simul.help.title')}</h2>
        <dl>
          ${keys.map(
            ([key, what]) =>
              html`<div>
                <dt><kbd>${key}</kbd></dt>
                <dd>${say(what)}</dd>
              </div>`,
          )}
        </dl>
        <p class="hint">${say('simul.help.moves')}</p>
        <button class="main" data-testid="simul-help-close">${say('simul.help.close')}</button>
      </form>
    </dialog>`;
  }

  open(): void {
    const dialog = this.dialog.value;
    if (dialog && !dialog.open) dialog.showModal();
  }

  /** Close on a click outside the dialog. */
  private clickedOutside(event: Event): void {
    if (event.target === this.dialog.value) this.dialog.value?.close();
  }
}
