/** Menu of a player: profile, block, report. It opens from the name. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { call } from '../../net/api';
import type { Blocks, Color, User } from '../../net/protocol';
import { personName } from '../../ui/person-name';
import { say } from '../../words/words';

const BLOCKS = '/api/v1/blocks';

export class AboutPlayer {
  /** Ids that the person has blocked; null until loaded. */
  private blocked: ReadonlySet<string> | null = null;

  constructor(
    private readonly app: App,
    private readonly g: string,
  ) {}

  /** A name with a menu; for strangers, and for oneself, a link. */
  draw(user: User, color: Color): TemplateResult {
    const { app } = this;
    const page = `/user/${encodeURIComponent(user.name)}`;
    const me = app.socket.user;
    if (me === null || me.id === user.id) return html`<a href=${page} data-page>${calledIn(user)}</a>`;
    const id = `about-${color}`;
    const blocks = this.blocked?.has(user.id) ?? false;
    return html`<button
        class="plain about-opener"
        popovertarget=${id}
        aria-label=${say('about.menu', { name: user.name })}
        data-testid="about-${color}"
      >
        <span>${calledIn(user)}</span><span aria-hidden="true">▾</span>
      </button>
      <span id=${id} class="about-player" popover role="group" aria-label=${say('about.menu', { name: user.name })} @toggle=${(event: ToggleEvent) => this.toggled(event)}>
        <strong>${personName(user)}</strong>
        <a class="button" href=${page} data-page>${say('about.profile')}</a>
        <button data-testid="about-block" aria-disabled=${String(this.blocked === null)} @click=${(event: Event) => void this.block(event, user, !blocks)}>
          ${say(blocks ? 'about.unblock' : 'about.block')}
        </button>
        <a class="button" data-testid="about-report" href="${page}?report=${this.g}" data-page>${say('about.report')}</a>
      </span>`;
  }

  /** The list may have changed on another page. */
  private toggled({ newState }: ToggleEvent): void {
    if (newState === 'open') void this.load();
  }

  private async load(): Promise<void> {
    const told = await this.app.attempt(() => call<Blocks>('GET', BLOCKS));
    if (told !== undefined) this.blocked = new Set(told.blocks.map(({ id }) => id));
    this.app.changed();
  }

  private async block(event: Event, { id, name }: User, on: boolean): Promise<void> {
    if (this.blocked === null) return;
    (event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')?.hidePopover();
    const done = await this.app.attempt(async () => {
      await call(on ? 'PUT' : 'DELETE', `${BLOCKS}/${encodeURIComponent(name)}`);
      return true;
    });
    if (done === undefined) return;
    const others = [...(this.blocked ?? [])].filter((other) => other !== id);
    this.blocked = new Set(on ? [...others, id] : others);
    this.app.say(say(on ? 'about.blocked' : 'about.unblocked', { name }));
  }
}

/** Without the bot mark, which is shown beside the rating. */
const calledIn = (user: User): TemplateResult => personName({ ...user, kind: 'member' });
