/** Menu of a player: profile, follow, block, report. It opens from the name. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { call } from '../../net/api';
import type { Blocks, Color, Follows, User } from '../../net/protocol';
import { BLOCKS, setBlocked } from '../../people/set-blocked';
import { FOLLOWS, setFollowed } from '../../people/set-followed';
import { personName } from '../../ui/person-name';
import { say } from '../../words/words';

export class AboutPlayer {
  /** Ids that the person has blocked; null until loaded. */
  private blocked: ReadonlySet<string> | null = null;
  /** Ids that the person follows; null until loaded. */
  private followed: ReadonlySet<string> | null = null;

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
    const follows = this.followed?.has(user.id) ?? false;
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
        ${user.kind === 'guest' || blocks
          ? nothing
          : html`<button data-testid="about-follow" aria-disabled=${String(this.followed === null)} @click=${(event: Event) => void this.follow(event, user, !follows)}>
              ${say(follows ? 'follow.end' : 'follow.do')}
            </button>`}
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

  /** Each by itself: without one the button of the other still works. */
  private async load(): Promise<void> {
    const { app } = this;
    const blocks = app.attempt(() => call<Blocks>('GET', BLOCKS));
    const follows = app.attempt(() => call<Follows>('GET', FOLLOWS));
    const blocked = (await blocks)?.blocks.map(({ id }) => id);
    if (blocked !== undefined) this.blocked = new Set(blocked);
    app.changed();
    const followed = (await follows)?.follows.map(({ user }) => user.id);
    if (followed !== undefined) this.followed = new Set(followed);
    app.changed();
  }

  private async follow(event: Event, { id, name }: User, on: boolean): Promise<void> {
    if (this.followed === null) return;
    (event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')?.hidePopover();
    if (!(await setFollowed(this.app, name, on))) return;
    const others = [...this.followed].filter((other) => other !== id);
    this.followed = new Set(on ? [...others, id] : others);
    this.app.changed();
  }

  private async block(event: Event, user: User, on: boolean): Promise<void> {
    if (this.blocked === null) return;
    (event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')?.hidePopover();
    if (!(await setBlocked(this.app, user, on))) return;
    const { id, name } = user;
    if (on) this.followed = new Set([...(this.followed ?? [])].filter((other) => other !== id));
    const others = [...(this.blocked ?? [])].filter((other) => other !== id);
    this.blocked = new Set(on ? [...others, id] : others);
    this.app.say(say(on ? 'about.blocked' : 'about.unblocked', { name }));
  }
}

/** Without the bot mark, which is shown beside the rating. */
const calledIn = (user: User): TemplateResult => personName({ ...user, kind: 'member' });
