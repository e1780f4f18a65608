/** The list of TV channels with small boards. It draws itself, without the page. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { StillBoard } from '../board/still-board';
import type { Color } from '../net/protocol';
import { opposite } from '../notation/color';
import { personName } from '../ui/person-name';
import { closeMenu, placeMenu } from '../ui/popover';
import { ratingText } from '../ui/rating';
import { nameOf, say } from '../words/words';
import type { ShownGame } from './channel-show';
import { channelName, familyOf, type ChannelStore } from './channels';
import { isOwn, sideShown, type Mini } from './mini';

export class ChannelList {
  readonly element = document.createElement('nav');
  private readonly boards = new Map<string, StillBoard>();
  private frame: number | null = null;
  private revealed = false;

  /** `chosen`: the current channel; `shown`: its game on the screen; `me`: id of the person. */
  constructor(
    private readonly store: ChannelStore,
    private readonly chosen: string,
    private readonly get: (g: string) => Mini | null,
    private readonly shown: () => ShownGame | null,
    private readonly me: () => string | undefined,
  ) {
    this.element.className = 'tv-channels';
    this.element.setAttribute('aria-label', say('tv.channels'));
    this.element.dataset.testid = 'channels';
  }

  /** Draw with the next frame; many calls draw once. */
  changed(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      render(this.list(), this.element);
      this.reveal();
    });
  }

  close(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
  }

  /** Those with a tile. */
  names(): string[] {
    return [...this.store.first(), ...this.within()];
  }

  private within(): string[] {
    const quiet = this.store.quiet(this.chosen);
    return this.store.within(this.chosen).filter((name) => !quiet.includes(name));
  }

  /** The best of each family, then the channels of the chosen one. */
  private list(): TemplateResult {
    const family = familyOf(this.chosen);
    return html`<ul class="tv-first">
        ${this.tiles(this.store.first())}
      </ul>
      ${family === null ? nothing : this.familyList(family)}`;
  }

  private familyList(family: string): TemplateResult {
    const quiet = this.store.quiet(this.chosen);
    return html`<h2 id="tv-family">${nameOf('family', family)}</h2>
      <ul aria-labelledby="tv-family">
        ${this.tiles(this.within())} ${quiet.length === 0 ? nothing : html`<li class="tv-more">${this.more(quiet)}</li>`}
      </ul>`;
  }

  private tiles(names: readonly string[]) {
    return repeat(
      names,
      (name) => name,
      (name) => html`<li>${this.channel(name)}</li>`,
    );
  }

  /** The chosen channel is in view, once its place is known. */
  private reveal(): void {
    if (this.revealed || this.store.games === null) return;
    this.revealed = true;
    this.element.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }

  /** Channels without any game so far. */
  private more(quiet: readonly string[]): TemplateResult {
    return html`<button class="plain" popovertarget="tv-more" data-testid="more-channels">${say('tv.more', { n: quiet.length })}</button>
      <div
        id="tv-more"
        class="menu"
        popover
        @toggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.target as HTMLElement)}
        @click=${closeMenu}
      >
        ${quiet.map((name) => html`<a href="/tv/${name}" data-page data-testid="channel-${name}">${channelName(name)}</a> `)}
      </div>`;
  }

  private channel(name: string): TemplateResult {
    const shown = name === this.chosen ? this.shown() : null;
    const g = shown?.g ?? this.store.games?.[name];
    const mini = g === undefined ? null : this.get(g);
    let board = this.boards.get(name);
    if (board === undefined) this.boards.set(name, (board = new StillBoard()));
    if (mini) board.show(mini, mini.position, mini.last, sideShown(mini));
    return html`<a
      class="tv-channel"
      href=${name === 'best' ? '/tv' : `/tv/${name}`}
      data-page
      aria-current=${name === this.chosen ? 'page' : nothing}
      data-testid="channel-${name}"
      data-g=${g ?? nothing}
      data-over=${String(mini?.status === 'over')}
    >
      ${board.element}
      <span class="tv-about">
        <span class="tv-name"><b>${channelName(name)}</b> ${mini ? stateOf(mini, shown?.rerun ?? false) : nothing}</span>
        ${mini && isOwn(mini, this.me()) ? html`<b class="tv-own">${say('tv.own')}</b>` : nothing}
        ${guard([g, mini?.players], () =>
          mini
            ? html`${player(mini, sideShown(mini))}${player(mini, opposite(sideShown(mini)))}`
            : html`<span class="tv-none">${g === undefined ? say('tv.none') : '\u00a0'}</span>`,
        )}
      </span>
    </a>`;
  }
}

function stateOf({ status }: Mini, rerun: boolean): TemplateResult {
  const live = status !== 'over';
  return html`<small data-live=${String(live)}>${say(rerun ? 'featured.replay' : live ? 'tv.live' : 'tv.channel.over')}</small>`;
}

function player({ players }: Mini, color: Color): TemplateResult {
  const { user, rating, provisional } = players[color];
  return html`<span class="tv-player"
    >${user ? personName(user) : say('nobody')}${rating === null ? nothing : html` <small>${ratingText(rating, provisional ?? false)}</small>`}</span
  >`;
}
