/** The running simuls in which a person hosts or plays. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { query } from '../net/api';
import type { SimulsPage } from '../net/protocol';
import { simulRows } from '../simul/text/rows';
import { Resource } from '../ui/resource';
import { say } from '../words/words';

export class PersonSimuls {
  private readonly running: Resource<SimulsPage>;

  constructor(
    private readonly app: App,
    name: string,
  ) {
    this.running = new Resource(`/api/v1/simuls${query({ status: 'running', user: name })}`, () => app.changed());
  }

  close(): void {
    this.running.close();
  }

  /** Nothing without one. */
  draw(): TemplateResult | typeof nothing {
    const cards = this.running.value?.simuls ?? [];
    if (cards.length === 0) return nothing;
    return html`<section class="card" aria-labelledby="simuls-title" data-testid="person-simuls">
      <h2 id="simuls-title">${say('person.simuls')}</h2>
      ${simulRows(cards, this.app.socket.time.now())}
    </section>`;
  }
}
