/** The list of blocked people, with a button to unblock each. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { call } from '../net/api';
import type { Blocks, User } from '../net/protocol';
import { personLink } from '../ui/person-name';
import { say } from '../words/words';
import { BLOCKS, setBlocked } from './set-blocked';

export class BlockedPeople {
  private people: readonly User[] = [];
  /** The user whose list it is. */
  private of: string | null = null;

  constructor(private readonly app: App) {}

  /** Whether the person with this id is blocked. */
  has(id: string): boolean {
    return this.people.some((user) => user.id === id);
  }

  /** Load the list of the user `me` if needed. */
  follow(me: string | null): void {
    if (me === this.of) return;
    this.of = me;
    this.people = [];
    if (me !== null) void this.load(me);
  }

  draw(me: string): TemplateResult | typeof nothing {
    this.follow(me);
    if (this.people.length === 0) return nothing;
    return html`<section class="card">
      <h2>${say('blocks.title')}</h2>
      <p class="about">${say('blocks.text')}</p>
      <ul class="rows" data-testid="blocked">
        ${this.people.map(
          (user) => html`<li class="row">
            ${personLink(user)}
            <button aria-label=${say('blocks.end.long', { name: user.name })} @click=${() => void this.set(user, false)}>
              ${say('blocks.end')}
            </button>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  async set(user: User, on: boolean): Promise<void> {
    await setBlocked(this.app, user, on);
    if (this.of !== null) await this.load(this.of);
  }

  private async load(me: string): Promise<void> {
    const told = await call<Blocks>('GET', BLOCKS).catch(() => null);
    if (told === null || this.of !== me) return;
    this.people = told.blocks;
    this.app.changed();
  }
}
