/** The form of a new game as a modal dialog, over any page. */

import '../../styles/create.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { icon } from '../../ui/icons';
import type { Dialog } from '../../ui/page';
import { say } from '../../words/words';
import type { NewGame } from '../waiting/new-game';
import { CreateForm } from './create-form';

export class CreateDialog implements Dialog {
  private readonly element = document.createElement('dialog');
  private readonly form: CreateForm;
  /** The pointer was pressed on the backdrop: a drag that ends there does not close the dialog. */
  private pressedOutside = false;
  /** Whether it asks before a position is thrown away. */
  private asking = false;

  /** `closed`: the person has closed it. */
  constructor(
    private readonly app: App,
    wanted: NewGame,
    private readonly closed: () => void,
  ) {
    this.form = new CreateForm(app, wanted, () => this.element.close());
    this.element.className = 'create-dialog';
    this.element.dataset.testid = 'create-dialog';
    this.element.setAttribute('aria-labelledby', 'create-title');
    this.element.addEventListener('close', this.left);
    this.element.addEventListener('pointerdown', (event) => (this.pressedOutside = this.isOutside(event)));
    this.element.addEventListener('click', (event) => this.pressedOutside && this.isOutside(event) && this.leave());
    // Escape. A second one closes the dialog in any case.
    this.element.addEventListener('cancel', (event) => {
      if (event.target !== this.element) return;
      event.preventDefault();
      this.leave();
    });
    // The keys of the page below.
    this.element.addEventListener('keydown', (event) => event.stopPropagation());
    document.body.append(this.element);
    this.draw();
    this.element.showModal();
  }

  draw(): void {
    render(
      html`<header class="titled">
          <h2 id="create-title" tabindex="-1" autofocus>${this.form.title()}</h2>
          <button type="button" class="plain" aria-label=${say('create.close')} data-testid="create-close" @click=${() => this.leave()}>
            ${icon('cross')}
          </button>
        </header>
        ${this.asking ? this.question() : nothing} ${this.form.draw(this.app.seeks.store.seeks)}`,
      this.element,
    );
  }

  close(): void {
    this.element.removeEventListener('close', this.left);
    this.element.close();
    this.remove();
  }

  /** A position that was set up is not thrown away without a question. */
  private leave(): void {
    if (this.asking || !this.form.holdsPosition()) return this.element.close();
    this.ask(true);
    this.element.querySelector<HTMLElement>('[data-testid=create-keep]')?.focus();
  }

  private ask(asking: boolean): void {
    this.asking = asking;
    this.draw();
  }

  private question(): TemplateResult {
    return html`<div class="create-question" role="alert" data-testid="create-question">
      <p>${say('create.discard')}</p>
      <div class="buttons">
        <button type="button" data-testid="create-discard" @click=${() => this.element.close()}>${say('create.discard.yes')}</button>
        <button type="button" class="main" data-testid="create-keep" @click=${() => this.ask(false)}>${say('create.discard.no')}</button>
      </div>
    </div>`;
  }

  private readonly left = (): void => {
    this.remove();
    this.closed();
  };

  private remove(): void {
    this.form.close();
    this.element.remove();
  }

  /** Whether it is on the backdrop, which belongs to the dialog. */
  private isOutside({ target, clientX: x, clientY: y }: MouseEvent): boolean {
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    return target === this.element && (x < left || x > right || y < top || y > bottom);
  }
}
