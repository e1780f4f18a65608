/** The list of simuls, and the form to announce one. */

import '../styles/simuls.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { SimulForm } from '../simul/setup/simul-form';
import { LISTS, SimulList, type ListName } from '../simul/setup/simul-list';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class SimulsPage implements Page {
  private list: SimulList;
  private form: SimulForm | null = null;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('simuls.title') });
    this.list = new SimulList(app, 'all');
    if (new URLSearchParams(location.search).has('create')) this.open();
  }

  close(): void {
    this.list.close();
    this.form?.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="column simuls" data-testid="simuls">
        <h1>${say('simuls.title')}</h1>
        ${this.form === null ? html`<p>${say('simuls.about')}</p>` : nothing}
        ${this.announcing()}
        ${this.app.socket.user === null
          ? nothing
          : html`<div class="choices simul-tabs" role="group" aria-label=${say('simuls.lists')}>${LISTS.map((name) => this.tab(name))}</div>`}
        <section class="card" aria-label=${say(`simuls.${this.list.name}`)}>${this.list.draw()}</section>
      </div>`,
      root,
    );
  }

  private announcing(): TemplateResult {
    const { form } = this;
    if (form === null) {
      return html`<section class="card">
        <button class="main" data-testid="announce" @click=${() => this.toggle()}>${say('simuls.announce')}</button>
      </section>`;
    }
    return html`<section class="card" aria-labelledby="announce-title">
      <h2 id="announce-title">${say('simuls.announce')}</h2>
      ${form.draw(() => this.toggle())}
    </section>`;
  }

  private tab(name: ListName): TemplateResult {
    return html`<button data-testid="simuls-${name}" aria-pressed=${String(name === this.list.name)} @click=${() => this.turn(name)}>
      ${say(`simuls.${name}`)}
    </button>`;
  }

  private toggle(): void {
    if (this.form === null) this.open();
    else {
      this.form.close();
      this.form = null;
      this.app.pushAddress('/simuls');
    }
    this.app.changed();
    // The pressed button is gone.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-testid=simul-name], [data-testid=announce]')?.focus());
  }

  private open(): void {
    const { app } = this;
    this.form = new SimulForm(app, null, (simul) => app.navigate(`/simul/${simul}`));
  }

  private turn(name: ListName): void {
    if (name === this.list.name) return;
    this.list.close();
    this.list = new SimulList(this.app, name);
    this.app.changed();
  }
}
