/** Actions besides moving: offers and answers, resigning, claims. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { WITHDRAW } from '../../access/accessible-game';
import type { App } from '../../app';
import type { Color, GameSnapshot, Offers, Outgoing } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { hasHints } from '../../state/hints';
import { mayPause } from '../../state/pausable';
import { icon, type IconName } from '../../ui/icons';
import { abilitiesOf } from '../../variants/registry';
import { say } from '../../words/words';
import type { ParentPage } from '../play/extension';
import type { Hints } from '../play/hints';
import type { OpponentAbsence } from '../play/opponent-absence';
import type { Action } from './action';
import { ActionButtons } from './action-buttons';
import type { ByLaws } from './by-laws';
import { Claims, type Claim } from './claims';
import { loggedOutNotice } from './status';

type Part = TemplateResult | typeof nothing;

/** Only one of them can be open. A takeback has its own place. */
const KINDS = ['draw', 'rematch'] as const satisfies readonly (keyof Offers)[];
/** What every game has; by the Laws there are others. */
type PlainOffer = (typeof KINDS)[number] | 'takeback';
const MORE_TIME_S = 15;

export interface Situation {
  game: GameSnapshot;
  /** Sides that the person plays: both on one screen, none when watching. */
  own: Color[];
  /** They played, and are logged out. */
  loggedOut: boolean;
  /** What can be claimed as a draw; null on the opponent's turn, and for spectators. */
  claim: Claim | null;
  absence: OpponentAbsence;
  /** The question that comes before all others. */
  asked: Part;
  /** A notice that passes. */
  news: string;
  /** The suggested move; empty if there is none. */
  hint: string;
  /** The premove. */
  premove: Part;
  /** Why the clocks are held. */
  standing: Part;
  /** The way to the chat. */
  chat: Part;
  /** Of a game by the Laws; null in others. */
  laws: ByLaws | null;
  /** Leaves zen mode; null if it is off. */
  leaveZen: (() => void) | null;
}

export class ActionBar {
  private readonly buttons: ActionButtons;
  private readonly claims: Claims;

  constructor(
    private readonly app: App,
    private readonly id: string,
    /** Another opponent on the same terms; a game on others. */
    private readonly after: { again(): void; create(): void },
    private readonly hints: Hints,
    /** The page of a simul that contains the game. */
    private readonly parent: Pick<ParentPage, 'hosts'> | null,
    /** Speaks to screen readers. */
    tell: (text: string) => void,
  ) {
    this.buttons = new ActionButtons(() => app.changed(), tell, ({ message }) => this.send(message));
    this.claims = new Claims(app, id, (action) => this.button(action));
  }

  close(): void {
    this.buttons.question.clear();
  }

  /** Cancel the open question. Returns whether there was one. */
  cancel(): boolean {
    return this.buttons.question.cancel();
  }

  draw(situation: Situation): TemplateResult {
    const { game, own, leaveZen } = situation;
    const over = game.status === 'over';
    const { laws } = situation;
    const actions = over ? this.afterwards(game, own) : (laws?.actions(game, own) ?? this.available(game, own));
    const asked = this.buttons.askedOf(actions);
    const drawn = html`<div class="actions" data-testid="actions">
      ${own.length > 0 || situation.loggedOut ? html`<div class="ask">${this.ask(situation, asked?.grave?.question)}</div>` : nothing}
      ${over || laws === null ? nothing : laws.button(game, own)} ${this.takeback(game, own)}
      <div class="doing">
        ${repeat(actions, ({ name }) => name, (action) => this.button(action))}
        ${game.next
          ? html`<a class="button main" data-testid="next" href="/game/${game.next}" data-page>${icon('again')}<span>${say('do.next')}</span></a>`
          : nothing}
        ${game.simul !== null && this.parent === null
          ? html`<a class="button" data-testid="to-simul" href="/simul/${game.simul}" data-page>${icon('people')}<span>${say('do.simul')}</span></a>`
          : nothing}
        ${over && this.parent === null ? this.toLobby() : nothing}
        ${situation.chat}
        ${leaveZen === null
          ? nothing
          : html`<button data-testid="leave-zen" @click=${leaveZen}>${icon('eye')}<span>${say('do.zen.off')}</span></button>`}
      </div>
    </div>`;
    this.buttons.clickGuard.sweep();
    return drawn;
  }

  /** Send a request about this game. */
  send(message: Outgoing): Promise<unknown> {
    return this.app.attempt(() => this.app.change({ ...message, g: this.id }));
  }

  /** Offer a rematch, or accept the open offer. With both sides (`me` null), both. */
  async rematch(game: GameSnapshot, me: Color | null): Promise<void> {
    await this.agree('rematch', game, me);
  }

  /** Button that gives the opponent time, beside their clock. */
  moreTime(game: GameSnapshot, own: Color[]): Part {
    if (own.length !== 1 || game.clock === null || game.laws || game.status !== 'live' || 'days' in (game.tc ?? {})) return nothing;
    // In a simul only the host gives time.
    if (game.simul !== null && !this.parent?.hosts) return nothing;
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

  /** The most pressing question only. Its place is reserved, so nothing moves when it appears. */
  private ask({ game, own, loggedOut, claim, absence, asked, news, hint, premove, standing, laws }: Situation, question?: string): Part {
    if (loggedOut) return loggedOutNotice();
    if (asked !== nothing) return asked;
    const me = own.length === 1 ? own[0]! : null;
    const over = game.status === 'over';
    const away_ms = me === null || over ? null : absence.left_ms(Date.now());
    const theirs = me === null ? undefined : KINDS.find((what) => game.offers[what] === opposite(me));
    // Whoever is about to resign has to see that a draw is offered.
    if (theirs !== undefined) return this.theirs(theirs);
    if (question !== undefined) return this.buttons.asked(question);
    if (away_ms === 0) return this.left();
    const byLaws = over || laws === null ? nothing : laws.ask(game, own, (action) => this.button(action));
    if (byLaws !== nothing) return byLaws;
    const claiming = claim === null ? nothing : this.claims.draw(game, claim);
    if (claiming !== nothing) return claiming;
    if (news !== '') return html`<p class="offer" data-testid="news">${news}</p>`;
    const mine = me === null ? undefined : KINDS.find((what) => game.offers[what] === me);
    if (mine === undefined && away_ms !== null) {
      return html`<p class="offer" data-testid="left">${say('left.wait', { n: Math.ceil(away_ms / 1000) })}</p>`;
    }
    if (mine === undefined) {
      if (premove !== nothing) return premove;
      const stopped = game.clock?.held !== undefined && game.clock.held !== 'pause';
      return hint === '' || stopped ? standing : html`<p class="offer" data-testid="hint-text">${hint}</p>`;
    }
    const isDraw = mine === 'draw';
    const text = say(isDraw && abilitiesOf(game.variant).claims ? 'offer.mine.draw.chess' : `offer.mine.${mine}`);
    return html`<p class="offer ${isDraw ? 'small' : ''}" data-testid="offered-${mine}">${text}</p>`;
  }

  /** A request for a takeback, at its own place: no click meant for another question answers it. */
  private takeback({ offers }: GameSnapshot, own: Color[]): Part {
    if (own.length !== 1 || offers.takeback === null) return nothing;
    if (offers.takeback !== own[0]) return html`<div class="ask apart">${this.theirs('takeback')}</div>`;
    const cancel = { name: 'cancel-takeback', label: say('form.cancel'), icon: 'cross', message: WITHDRAW } as const;
    return html`<div class="ask apart">
      <p class="offer" data-testid="offered-takeback"><span>${say('offer.mine.takeback')}</span> <span class="answers">${this.button(cancel)}</span></p>
    </div>`;
  }

  private theirs(what: PlainOffer): TemplateResult {
    const text = what === 'takeback' ? say('offer.theirs.takeback') : say('offer.theirs', { what: say(`offer.${what}`) });
    const answer = (how: 'accept' | 'decline', picture: IconName) =>
      this.button({ name: `${how}-${what}`, label: say(`do.${how}`), icon: picture, message: { t: what, do: how }, main: how === 'accept' });
    return html`<p class="offer theirs" data-testid="offer-${what}">
      <span>${text}</span> <span class="answers">${answer('accept', 'yes')}${answer('decline', 'cross')}</span>
    </p>`;
  }

  private left(): TemplateResult {
    const claim = (what: 'win' | 'draw', picture: IconName) =>
      this.button({ name: `claim-left-${what}`, label: say(`left.${what}`), icon: picture, message: { t: 'claim', what } });
    return html`<p class="offer theirs" data-testid="left">
      <span>${say('left.now')}</span> <span class="answers long">${claim('win', 'cup')}${claim('draw', 'half')}</span>
    </p>`;
  }

  /** Places that stay the same once both have moved. */
  private available(game: GameSnapshot, own: Color[]): Action[] {
    const me = own[0];
    if (me === undefined) return [];
    const begun = game.moves.length >= 2;
    const end = begun ? this.resign() : this.abort();
    if (own.length === 2) {
      const act = () => this.agree('takeback', game, null);
      return [{ ...offer('takeback', 'back'), off: game.moves.length === 0, long: say('do.takeback'), act }, ...pause(game, own), end];
    }
    // A board of a simul is played to its end, without takebacks.
    if (game.simul !== null) {
      return [this.offerDraw(game), this.resign()];
    }
    const moved = game.moves.length > (game.turn === me ? 1 : 0);
    return [
      { ...offer('takeback', 'back'), off: !moved || game.offers.takeback !== null },
      ...this.hint(game, own),
      ...pause(game, own),
      this.offerDraw(game),
      end,
    ];
  }

  private afterwards(game: GameSnapshot, own: Color[]): Action[] {
    const me = own[0];
    if (me === undefined || game.simul !== null) return [];
    const alone = own.length === 2;
    const act = () => this.agree('rematch', game, alone ? null : me);
    const rematch: Action = { ...offer('rematch', 'again'), off: !alone && game.offers.rematch === me, act };
    const another: Action = { name: 'new-opponent', label: say('do.new'), long: say('do.new.long'), icon: 'people', message: { t: '' }, act: this.after.again };
    const create: Action = { name: 'new-game', label: say('do.create'), icon: 'plus', message: { t: '' }, act: this.after.create };
    // Of two players at this device each has their own.
    return [...(game.next || (alone && game.laws) ? [] : [rematch]), ...(alone ? [] : [another]), create];
  }

  /** Make an offer, or accept it; a person who plays both sides (`me` null) does both. */
  private async agree(what: 'takeback' | 'rematch', game: GameSnapshot, me: Color | null): Promise<void> {
    const open = game.offers[what];
    if (open === null && (await this.send({ t: what, do: 'offer' })) === undefined) return;
    if (me === null) {
      // A host was asked when it was offered.
      await this.app.attempt(() => this.app.socket.change({ t: what, do: 'accept', g: this.id }));
    } else if (open === opposite(me)) await this.send({ t: what, do: 'accept' });
  }

  private hint(game: GameSnapshot, own: Color[]): Action[] {
    if (!hasHints(game, own)) return [];
    const act = () => this.hints.request();
    return [{ name: 'hint', label: say('do.hint'), long: say('do.hint.long'), icon: 'bulb', message: { t: '' }, off: game.turn !== own[0], act }];
  }

  private abort(): Action {
    return { name: 'abort', label: say('do.abort'), message: { t: 'abort' }, icon: 'cross' };
  }

  private offerDraw({ moves, offers }: GameSnapshot): Action {
    const grave = this.app.settings.now.confirmDraw ? { label: say('do.draw.ask'), question: say('ask.draw') } : undefined;
    return { ...offer('draw', 'half'), off: moves.length < 2 || offers.draw !== null, ...(grave && { grave }) };
  }

  private resign(): Action {
    const grave = this.app.settings.now.confirmResign ? { label: say('do.resign.ask'), question: say('ask.resign') } : undefined;
    return { name: 'resign', label: say('do.resign'), message: { t: 'resign' }, icon: 'flag', ...(grave && { grave }) };
  }

  private toLobby(): TemplateResult {
    const settled = this.buttons.clickGuard.isReady('lobby');
    const click = (event: Event) => {
      if (settled) return;
      event.preventDefault();
      event.stopPropagation();
    };
    return html`<a class="button" href="/" data-page aria-disabled=${settled ? nothing : 'true'} @click=${click}>
      ${icon('home')}<span>${say('to.lobby')}</span>
    </a>`;
  }

  private button(action: Action): TemplateResult {
    return this.buttons.draw(action);
  }
}

function offer(what: PlainOffer, picture: IconName): Action {
  const long = what === 'rematch' ? {} : { long: say(`do.${what}.long`) };
  return { name: what, label: say(`do.${what}`), icon: picture, message: { t: what, do: 'offer' }, ...long };
}

function pause(game: GameSnapshot, own: Color[]): Action[] {
  if (!mayPause(game, own)) return [];
  const on = game.clock?.held !== 'pause';
  return [{ name: 'pause', label: say(on ? 'do.pause' : 'do.resume'), message: { t: 'pause', on }, icon: on ? 'pause' : 'following' }];
}
