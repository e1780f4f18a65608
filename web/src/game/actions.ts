/** What a player can do besides moving: offers and their answers, resigning, claims. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Color, GameSnapshot, Offers, Outgoing } from '../protocol';
import { opposite } from '../store';
import { say } from '../words';
import type { Departure } from './departure';
import { icon, type IconName } from './icons';

interface Action {
  name: string;
  label: string;
  message: Outgoing;
  icon?: IconName;
  /** Says more than the label. */
  long?: string;
  /** Asks once more before it is done. */
  grave?: boolean;
  /** Done already and not answered yet. */
  open?: boolean;
  /** Takes more than the message. */
  act?: () => unknown;
}

const KINDS = ['draw', 'takeback', 'rematch'] as const satisfies readonly (keyof Offers)[];
const CONFIRM_WITHIN_MS = 4_000;
const MORE_TIME_S = 15;

export interface Situation {
  game: GameSnapshot;
  /** Sides the person plays: both on one screen, none when watching. */
  own: Color[];
  /** The position can be claimed as a draw. */
  claimable: boolean;
  departure: Departure;
}

export class ActionBar {
  private confirming: string | null = null;
  private expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    private readonly id: string,
    private readonly again: () => void,
  ) {}

  draw(situation: Situation): TemplateResult {
    const { game, own } = situation;
    const me = own.length === 1 ? own[0]! : null;
    const over = game.status === 'over';
    return html`<div class="actions" data-testid="actions">
      ${me === null ? nothing : this.answers(game, me)} ${me === null || over ? nothing : this.left(situation)}
      <div class="buttons doing">
        ${(over ? this.afterwards(game, own) : this.available(situation)).map((action) => this.button(action))}
        ${game.next
          ? html`<a class="button main" data-testid="next" href="/game/${game.next}" data-page>${say('do.next')}</a>`
          : nothing}
        ${over && me !== null
          ? html`<button data-testid="new-opponent" @click=${this.again}>${say('do.new')}</button>`
          : nothing}
        ${over ? html`<a class="button" href="/" data-page>${say('to.lobby')}</a>` : nothing}
      </div>
    </div>`;
  }

  /** Ask something of the server, for this game. */
  send(message: Outgoing): Promise<unknown> {
    return this.app.attempt(() => this.app.socket.change({ ...message, g: this.id }));
  }

  /** Offer one, or take the one that is offered. Who played both sides (`me` null) agrees with himself. */
  async rematch(game: GameSnapshot, me: Color | null): Promise<void> {
    const open = game.offers.rematch;
    if (open === null && (await this.send({ t: 'rematch', do: 'offer' })) === undefined) return;
    if (me === null || open === opposite(me)) await this.send({ t: 'rematch', do: 'accept' });
  }

  /** Time for the opponent, beside his clock. */
  moreTime(game: GameSnapshot, own: Color[]): TemplateResult | typeof nothing {
    if (own.length !== 1 || game.clock === null || game.status !== 'live' || 'days' in (game.tc ?? {})) return nothing;
    const label = say('do.moretime', { s: MORE_TIME_S });
    return html`<button
      class="more-time"
      data-testid="moretime"
      aria-label=${label}
      title=${label}
      @click=${() => void this.send({ t: 'moretime', seconds: MORE_TIME_S })}
    >
      +${MORE_TIME_S}
    </button>`;
  }

  private answers(game: GameSnapshot, me: Color): TemplateResult[] {
    return KINDS.filter((what) => game.offers[what] !== null).map((what) => {
      const mine = game.offers[what] === me;
      const who = mine ? 'mine' : 'theirs';
      const text =
        what === 'takeback' ? say(`offer.${who}.takeback`) : say(`offer.${who}`, { what: say(`offer.${what}`) });
      if (mine) return html`<p class="offer" data-testid="offered-${what}">${text}</p>`;
      return html`<p class="offer theirs" data-testid="offer-${what}">
        <span>${text}</span>
        <span class="answers">
          ${this.button({ name: `accept-${what}`, label: say('do.accept'), message: { t: what, do: 'accept' } })}
          ${this.button({ name: `decline-${what}`, label: say('do.decline'), message: { t: what, do: 'decline' } })}
        </span>
      </p>`;
    });
  }

  private left({ departure }: Situation): TemplateResult | typeof nothing {
    const ms = departure.left_ms(Date.now());
    if (ms === null) return nothing;
    if (ms > 0) return html`<p class="offer" data-testid="left">${say('left.wait', { n: Math.ceil(ms / 1000) })}</p>`;
    return html`<p class="offer theirs" data-testid="left">
      <span>${say('left.now')}</span>
      <span class="answers">
        <button data-testid="claim-left-win" @click=${() => this.claim('win')}>${say('left.win')}</button>
        <button data-testid="claim-left-draw" @click=${() => this.claim('draw')}>${say('left.draw')}</button>
      </span>
    </p>`;
  }

  private claim(what: 'win' | 'draw'): void {
    void this.app.attempt(() => this.app.socket.change({ t: 'claim', g: this.id, what }));
  }

  private available({ game, own, claimable }: Situation): Action[] {
    const me = own[0];
    if (me === undefined) return [];
    const begun = game.moves.length >= 2;
    if (own.length === 2) {
      return [begun ? this.resign() : { name: 'abort', label: say('do.abort'), message: { t: 'abort' } }, ...pause(game)];
    }
    const actions: Action[] = [];
    if (game.moves.length > 0 && game.offers.takeback !== opposite(me)) {
      actions.push({ ...offer('takeback', game.offers.takeback === me), label: say('do.takeback'), icon: 'back' });
    }
    if (begun && game.offers.draw !== opposite(me)) {
      actions.push({ ...offer('draw', game.offers.draw === me), label: say('do.draw'), icon: 'half' });
    }
    if (!begun) actions.push({ name: 'abort', label: say('do.abort'), message: { t: 'abort' }, icon: 'cross' });
    else actions.push(this.resign());
    if (claimable && game.turn === me) {
      actions.push({ name: 'claim-draw', label: say('do.claim-draw'), message: { t: 'draw', do: 'claim' } });
    }
    return actions;
  }

  private afterwards(game: GameSnapshot, own: Color[]): Action[] {
    const me = own[0];
    if (me === undefined || game.next || (own.length === 1 && game.offers.rematch === opposite(me))) return [];
    const open = own.length === 1 && game.offers.rematch !== null;
    const act = () => this.rematch(game, own.length === 1 ? me : null);
    return [{ name: 'rematch', label: say('do.rematch'), message: { t: 'rematch', do: 'offer' }, icon: 'again', open, act }];
  }

  private resign(): Action {
    const grave = this.app.settings.now.confirmResign;
    return { name: 'resign', label: say('do.resign'), message: { t: 'resign' }, icon: 'flag', grave };
  }

  private button(action: Action): TemplateResult {
    const asking = this.confirming === action.name;
    return html`<button
      data-testid=${action.name}
      class=${asking ? 'grave' : ''}
      title=${action.long ?? nothing}
      ?disabled=${action.open ?? false}
      @click=${() => this.click(action)}
    >
      ${action.icon ? icon(action.icon) : nothing}
      <span>${asking ? say('do.sure', { what: action.label }) : action.label}</span>
    </button>`;
  }

  private click(action: Action): void {
    clearTimeout(this.expiry);
    if (action.grave && this.confirming !== action.name) {
      this.confirming = action.name;
      this.expiry = setTimeout(() => this.calm(), CONFIRM_WITHIN_MS);
      this.app.changed();
      return;
    }
    this.calm();
    void (action.act ? action.act() : this.send(action.message));
  }

  private calm(): void {
    this.confirming = null;
    this.app.changed();
  }
}

function offer(what: 'draw' | 'takeback', open: boolean): Omit<Action, 'label'> {
  return { name: what, message: { t: what, do: 'offer' }, long: say(`do.${what}.long`), open };
}

function pause(game: GameSnapshot): Action[] {
  if (game.clock === null || game.status !== 'live') return [];
  const on = game.clock.held !== 'pause';
  return [{ name: 'pause', label: say(on ? 'do.pause' : 'do.resume'), message: { t: 'pause', on } }];
}
