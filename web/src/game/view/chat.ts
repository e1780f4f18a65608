/** A game's chat: the room of the players or of the spectators. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { App } from '../../app';
import type { ChatLine, GameMessage, GameSnapshot } from '../../net/protocol';
import { reducesMotion } from '../../settings/settings';
import { icon } from '../../ui/icons';
import { personName } from '../../ui/person-name';
import { say } from '../../words/words';

/** What players say at the start and at the end of a game, one click each. */
const PHRASES = {
  start: [say('phrase.hello'), say('phrase.luck'), say('phrase.fun'), say('phrase.too')],
  end: [say('phrase.game'), say('phrase.played'), say('phrase.thanks'), say('phrase.bye')],
} as const;
/** The start of a game ends after this number of plies. */
const START_PLIES = 4;

const MOST_LINES = 150;
const LONGEST = 140;
/** Closer than a line to the end counts as the end. */
const NEAR_END_PX = 12;
/** The lines are seen when this much of their box is. */
const SEEN_PART = 0.5;
/** A badge has room for one digit. */
const MOST_COUNTED = 9;

export class Chat {
  /** Lines by others since the page was opened. */
  heard = 0;
  private lines: readonly ChatLine[] = [];
  private box: HTMLElement | null = null;
  /** Whether the newest line is in view, and is to stay so. */
  private atEnd = true;
  /** Scroll position after the last draw. */
  private top = 0;
  /** A phrase without an answer yet. */
  private sending: string | null = null;
  /** Lines by others that the person has not seen. */
  private unread = 0;
  /** Time of the newest line; null before the first message of the server. */
  private newest: number | null = null;
  private isInView = false;
  private view: IntersectionObserver | null = null;

  constructor(
    private readonly app: App,
    private readonly topic: string,
  ) {}

  /** Returns whether the message belongs to the chat. Calls `heard` for a line by another person. */
  take(message: GameMessage, heard: () => void): boolean {
    if (message.t === 'chat.lines') {
      this.lines = message.lines;
      // After a lost connection some are new; of the first ones none is.
      const { newest } = this;
      if (newest !== null) this.unread += this.lines.filter(({ at, user }) => at > newest && user.id !== this.app.socket.user?.id).length;
      this.newest = Math.max(newest ?? 0, ...this.lines.map(({ at }) => at));
    } else if (message.t === 'chat') {
      const { user, text, at } = message;
      this.lines = [...this.lines, { user, text, at }].slice(-MOST_LINES);
      this.newest = Math.max(this.newest ?? 0, at);
      if (user.id === this.app.socket.user?.id) return true;
      this.heard += 1;
      // Not of what is read as it comes: the chat tells of that itself.
      if (!this.isSeen()) this.unread += 1;
      heard();
    } else {
      return false;
    }
    return true;
  }

  /** After drawing: scroll to the newest line, unless the person reads further up. */
  keep(): void {
    const { box } = this;
    if (box === null) return;
    // The scroll event comes a frame later.
    if (box.scrollTop < this.top) this.scrolled();
    if (this.atEnd && box.scrollTop + box.clientHeight < box.scrollHeight - 1) box.scrollTop = box.scrollHeight;
    this.top = box.scrollTop;
    this.look();
  }

  private readonly boxed = (box?: Element): void => {
    this.view?.disconnect();
    this.view = null;
    this.box = (box as HTMLElement | undefined) ?? null;
    this.isInView = false;
    document.removeEventListener('visibilitychange', this.look);
    if (this.box === null) return;
    this.view = new IntersectionObserver((entries) => this.viewed(entries), { threshold: SEEN_PART });
    this.view.observe(this.box);
    document.addEventListener('visibilitychange', this.look);
  };

  private viewed(entries: readonly IntersectionObserverEntry[]): void {
    this.isInView = (entries.at(-1)?.intersectionRatio ?? 0) >= SEEN_PART;
    this.look();
  }

  /** Whether the newest lines are in view. */
  private isSeen(): boolean {
    return this.isInView && this.atEnd && !document.hidden;
  }

  /** Lines in view are read. */
  private readonly look = (): void => {
    if (this.unread === 0 || !this.isSeen()) return;
    this.unread = 0;
    this.app.changed();
  };

  private readonly scrolled = (): void => {
    const { box } = this;
    if (box === null) return;
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - NEAR_END_PX) {
      this.atEnd = true;
      this.look();
    }
    // Not if the box has only become smaller, as when a keyboard opens.
    else if (box.scrollTop < this.top) this.atEnd = false;
  };

  /** The way to the chat where it is below the board, with the number of unread lines. */
  opener(): TemplateResult {
    const { unread } = this;
    const words = unread === 0 ? '' : say('chat.unread', { n: unread });
    return html`<button class="to-chat" aria-label=${[say('chat.open'), words].filter(Boolean).join(', ')} data-testid="to-chat" @click=${() => this.open()}>
        ${icon('chat')}<span>${say('chat.open')}</span>
        ${unread === 0 ? nothing : html`<b class="badge" aria-hidden="true" data-testid="unread">${unread > MOST_COUNTED ? `${MOST_COUNTED}+` : unread}</b>`}
      </button>
      <span class="unseen" role="status">${words}</span>`;
  }

  private open(): void {
    const { box } = this;
    box?.closest('.chat')?.scrollIntoView({ block: 'start', behavior: reducesMotion(this.app.settings.now) ? 'instant' : 'smooth' });
    box?.focus({ preventScroll: true });
  }

  private leave(): void {
    scrollTo({ top: 0, behavior: reducesMotion(this.app.settings.now) ? 'instant' : 'smooth' });
    document.getElementById('page')?.focus({ preventScroll: true });
  }

  draw(game: Pick<GameSnapshot, 'you' | 'status' | 'moves' | 'players'>): TemplateResult {
    const me = this.app.socket.user?.id;
    // Not a stand-in, who plays for one of them.
    const isPlayer = me === undefined ? game.you !== null : [game.players.w, game.players.b].some(({ user }) => user?.id === me);
    const room = isPlayer ? 'players' : 'spectators';
    return html`<section class="chat card" aria-label=${say(`chat.${room}`)} data-testid="chat">
      <div class="titled">
        <h2>${say(`chat.${room}`)}</h2>
        <button class="plain to-board" data-testid="to-board" @click=${() => this.leave()}>${say('chat.board')}</button>
      </div>
      <div
        class="lines"
        role="log"
        tabindex="0"
        aria-label=${say(`chat.${room}`)}
        data-testid="chat-lines"
        ${ref(this.boxed)}
        @scroll=${this.scrolled}
      >
        ${this.lines.length === 0 ? html`<p class="empty">${say('chat.empty')}</p>` : nothing}
        ${this.lines.map(({ user, text }) => html`<p><b>${personName(user)}</b> <span>${text}</span></p>`)}
      </div>
      ${room === 'players' ? this.phrases(game) : nothing}
      <form @submit=${(event: SubmitEvent) => this.submit(event)}>
        <input
          type="text"
          name="text"
          maxlength=${LONGEST}
          autocomplete="off"
          enterkeyhint="send"
          aria-label=${say('chat.write')}
          placeholder=${say('chat.write')}
          data-testid="chat-text"
        />
        <button data-testid="chat-send">${say('chat.send')}</button>
      </form>
    </section>`;
  }

  /** Lines are drawn when the server broadcasts them, the writer's own too. */
  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem('text') as HTMLInputElement;
    const text = field.value.trim();
    if (text === '') return;
    field.value = '';
    void this.send(text).then((reply) => {
      // Refused: restore the text, unless another one was begun.
      if (reply === undefined && field.value === '') field.value = text;
    });
  }

  /** Those that were not sent yet, as buttons. */
  private phrases(game: Pick<GameSnapshot, 'status' | 'moves'>): TemplateResult | typeof nothing {
    const stage = game.status === 'over' ? 'end' : game.moves.length < START_PLIES ? 'start' : null;
    if (stage === null) return nothing;
    const me = this.app.socket.user?.id;
    const sent = new Set(this.lines.filter(({ user }) => user.id === me).map(({ text }) => text));
    const left = PHRASES[stage].filter((phrase) => !sent.has(phrase) && phrase !== this.sending);
    if (left.length === 0) return nothing;
    return html`<div class="phrases" role="group" aria-label=${say('phrase.title')} data-testid="phrases">
      ${left.map((phrase) => html`<button type="button" @click=${() => void this.sendPhrase(phrase)}>${phrase}</button>`)}
    </div>`;
  }

  private async sendPhrase(phrase: string): Promise<void> {
    if (this.sending !== null) return;
    this.sending = phrase;
    this.app.changed();
    await this.send(phrase);
    this.sending = null;
    this.app.changed();
  }

  private send(text: string): Promise<unknown> {
    return this.app.attempt(async () => {
      await this.app.session.ensure();
      return this.app.socket.ask({ t: 'chat', topic: this.topic, text });
    });
  }
}
