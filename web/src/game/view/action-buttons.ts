/** Buttons that ignore clicks meant for what was there before, and ask a question before what cannot be undone. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { ClickGuard } from '../../ui/click-guard';
import { icon } from '../../ui/icons';
import { say } from '../../words/words';
import type { Action } from './action';
import { ActionQuestion } from './action-question';

export class ActionButtons {
  readonly question: ActionQuestion;
  readonly clickGuard: ClickGuard;

  /** `tell`: speak to screen readers; `send`: what a button without an act of its own does. */
  constructor(
    private readonly changed: () => void,
    tell: (text: string) => void,
    private readonly send: (action: Action) => unknown,
  ) {
    this.question = new ActionQuestion(changed, tell, () => say('ask.cancelled'));
    this.clickGuard = new ClickGuard(changed);
  }

  /** The action of these that waits for its second click. */
  askedOf(actions: readonly Action[]): Action | undefined {
    const asked = actions.find((action) => this.isAsked(action));
    if (asked === undefined) this.question.clear();
    return asked;
  }

  draw(action: Action): TemplateResult {
    const asking = this.isAsked(action);
    const settled = this.clickGuard.isReady(asking ? `${action.name}?` : action.name);
    return html`<button
      data-testid=${action.name}
      class=${asking ? 'grave' : action.main ? 'main' : ''}
      title=${action.long ?? action.label}
      aria-pressed=${action.pressed ?? nothing}
      ?disabled=${action.off ?? false}
      aria-disabled=${settled ? nothing : 'true'}
      @keydown=${pressedOnce}
      @click=${(event: MouseEvent) => (settled || (byKey(event) && !asking)) && this.click(action)}
    >
      ${icon(action.icon)}
      <span>${asking ? action.grave?.label : action.label}</span>
    </button>`;
  }

  /** The question of the button that was clicked once. */
  asked(question: string): TemplateResult {
    const cancel = { name: 'ask-cancel', label: say('form.cancel'), icon: 'cross', message: { t: '' }, act: () => this.question.cancel() } as const;
    return html`<p class="offer theirs asked" data-testid="asked">
      <span>${question}</span> <span class="answers">${this.draw(cancel)}</span>
    </p>`;
  }

  private isAsked({ name, off, grave }: Action): boolean {
    return grave !== undefined && off !== true && name === this.question.asked;
  }

  private click(action: Action): void {
    const { question } = this;
    if (action.grave && !this.isAsked(action)) return question.ask(action.name, say('ask.told', { question: action.grave.question }));
    if (this.isAsked(action)) question.clear();
    this.changed();
    void (action.act ? action.act() : this.send(action));
  }
}

/** Keyboard clicks have no detail: they press what has the focus. */
const byKey = (event: MouseEvent): boolean => event.detail === 0;

/** A key that is held clicks again and again: it would confirm what it asked. */
const pressedOnce = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
};
