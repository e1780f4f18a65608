/** A game's chat: the room of the players or of the spectators. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { App } from '../../app';
import type { ChatLine, GameMessage, GameSnapshot } from '../../net/protocol';
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

  constructor(
    private readonly app: App,
    private readonly topic: string,
  ) {}

  /** Returns whether the message belongs to the chat. Calls `heard` for a line by another person. */
  take(message: GameMessage, heard: () => void): boolean {
    if (message.t === 'chat.lines') {
      this.lines = message.lines;
    } else if (message.t === 'chat') {
      const { user, text, at } = message;
      this.lines = [...this.lines, { user, text, at }].slice(-MOST_LINES);
      if (user.id === this.app.socket.user?.id) return true;
      this.heard += 1;
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
  }

  private readonly boxed = (box?: Element): void => {
    this.box = (box as HTMLElement | undefined) ?? null;
  };

  private readonly scrolled = (): void => {
    const { box } = this;
    if (box === null) return;
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - NEAR_END_PX) this.atEnd = true;
    // Not if the box has only become smaller, as when a keyboard opens.
    else if (box.scrollTop < this.top) this.atEnd = false;
  };

  draw(game: Pick<GameSnapshot, 'you' | 'status' | 'moves' | 'players'>): TemplateResult {
    const me = this.app.socket.user?.id;
    // Not a stand-in, who plays for one of them.
    const isPlayer = me === undefined ? game.you !== null : [game.players.w, game.players.b].some(({ user }) => user?.id === me);
    const room = isPlayer ? 'players' : 'spectators';
    return html`<section class="chat card" aria-label=${say(`chat.${room}`)} data-testid="chat">
      <h2>${say(`chat.${room}`)}</h2>
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
