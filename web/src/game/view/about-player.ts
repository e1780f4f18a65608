/** Menu of a player: profile, follow, block, report. It opens from the name. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { call } from '../../net/api';
import type { Blocks, Color, Follows, User } from '../../net/protocol';
import { BLOCKS, setBlocked } from '../../people/set-blocked';
import { FOLLOWS, setFollowed } from '../../people/set-followed';
import { personName } from '../../ui/person-name';
import { say } from '../../words/words';
import { ReportPanel } from './report-panel';

export class AboutPlayer {
  /** Ids that the person has blocked; null until loaded. */
  private blocked: ReadonlySet<string> | null = null;
  /** Ids that the person follows; null until loaded. */
  private followed: ReadonlySet<string> | null = null;
  private readonly report: ReportPanel;

  /** `playing`: whether the person plays now. The game must not go from their screen then. */
  constructor(
    private readonly app: App,
    g: string,
    private readonly playing: () => boolean,
  ) {
    this.report = new ReportPanel(app, g);
  }

  /** The form to report a player, once it has been asked for. */
  panel(): TemplateResult | typeof nothing {
    return this.report.draw();
  }

  /** A name with a menu; for strangers, and for oneself, a link. */
  draw(user: User, color: Color): TemplateResult {
    const { app } = this;
    const page = `/user/${encodeURIComponent(user.name)}`;
    const me = app.socket.user;
    const apart = this.playing();
    const tab = apart ? '_blank' : nothing;
    if (me === null || me.id === user.id) return html`<a href=${page} target=${tab} ?data-page=${!apart}>${calledIn(user)}</a>`;
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
        <a class="button" href=${page} target=${tab} ?data-page=${!apart} data-testid="about-profile">${say(apart ? 'about.profile.tab' : 'about.profile')}</a>
        ${user.kind === 'guest' || blocks
          ? nothing
          : html`<button data-testid="about-follow" aria-disabled=${String(this.followed === null)} @click=${(event: Event) => void this.follow(event, user, !follows)}>
              ${say(follows ? 'follow.end' : 'follow.do')}
            </button>`}
        <button data-testid="about-block" aria-disabled=${String(this.blocked === null)} @click=${(event: Event) => void this.block(event, user, !blocks)}>
          ${say(blocks ? 'about.unblock' : 'about.block')}
        </button>
        <button data-testid="about-report" @click=${(event: Event) => this.openReport(event, user)}>${say('about.report')}</button>
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

  private openReport(event: Event, user: User): void {
    hideMenu(event);
    void this.report.open(user);
  }

  private async follow(event: Event, { id, name }: User, on: boolean): Promise<void> {
    if (this.followed === null) return;
    hideMenu(event);
    if (!(await setFollowed(this.app, name, on))) return;
    const others = [...this.followed].filter((other) => other !== id);
    this.followed = new Set(on ? [...others, id] : others);
    this.app.changed();
  }

  private async block(event: Event, user: User, on: boolean): Promise<void> {
    if (this.blocked === null) return;
    hideMenu(event);
    if (!(await setBlocked(this.app, user, on))) return;
    const { id, name } = user;
    if (on) this.followed = new Set([...(this.followed ?? [])].filter((other) => other !== id));
    const others = [...(this.blocked ?? [])].filter((other) => other !== id);
    this.blocked = new Set(on ? [...others, id] : others);
    this.app.say(say(on ? 'about.blocked' : 'about.unblocked', { name }));
  }
}

const hideMenu = (event: Event): void => (event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')?.hidePopover();

/** Without the bot mark, which is shown beside the rating. */
const calledIn = (user: User): TemplateResult => personName({ ...user, kind: 'member' });
