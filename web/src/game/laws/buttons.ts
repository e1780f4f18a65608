/** The buttons of a player in a game by the Laws: the clock, and claims, offers and j'adoube. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { Color, GameSnapshot, Outgoing } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { icon } from '../../ui/icons';
import { gameOf } from '../../variants/registry';
import { sayLaws } from '../../words/laws';
import { say } from '../../words/words';
import type { Action, DrawButton } from '../view/action';
import type { GameParts } from '../view/layout';
import { isPromoting } from './hands';
import type { Requests } from './requests';
import { flagOfOpponent, isReady, mayClaimDraw, mayOfferDraw, stageOf } from './stage';

type Part = TemplateResult | typeof nothing;

export class Buttons {
  /** The side that is asked how it claims a draw. */
  private claiming: Color | null = null;

  constructor(
    private readonly app: App,
    private readonly parts: Pick<GameParts, 'mover'>,
    private readonly requests: Requests,
  ) {}

  /** All but the clock. Their places stay. */
  of(game: GameSnapshot, me: Color): Action[] {
    const { laws } = game;
    if (!laws) return [];
    return [
      this.adjust(game, me),
      this.draw(game, me),
      ...(laws.rulings === 'by_claim' ? [this.illegal(game, me)] : []),
      this.resign(me),
    ];
  }

  /** The claim of a fallen flag, where the server does not watch the flags. */
  flag(game: GameSnapshot, me: Color): Action | null {
    if (game.laws?.flag !== 'claim' || game.clock === null || game.status === 'over') return null;
    const off = !flagOfOpponent(game, me, this.app.socket.time.now());
    return this.sends(me, 'flag', sayLaws('flag'), 'clock', { t: 'flag' }, { long: sayLaws('flag.long'), off });
  }

  /** The clock button. It keeps its place on the opponent's turn. Those of two players have other names, and no space bar. */
  press(game: GameSnapshot, me: Color, name: string): TemplateResult {
    const mine = game.turn === me && game.status !== 'over';
    const ready = isReady(game, me);
    // It keeps the focus: a stray space bar is no press. A key that is held clicks again and again.
    const keyed = (event: KeyboardEvent) => {
      if (event.key === ' ' ? !ready : event.key === 'Enter' && event.repeat) event.preventDefault();
    };
    return html`<button
      class="press ${ready ? 'main' : ''}"
      data-testid=${name}
      title=${sayLaws(name === 'press' ? 'press.long' : 'press')}
      aria-disabled=${String(!mine || this.requests.isPressing(me))}
      @keydown=${keyed}
      @click=${({ detail }: MouseEvent) => detail > 1 || void this.requests.press(me)}
    >
      ${icon('clock')}<span>${sayLaws(mine || game.status === 'over' ? 'press' : 'press.wait')}</span>
    </button>`;
  }

  /** How `me` claims a draw, while they do; nothing otherwise. */
  claims(game: GameSnapshot, me: Color, draw: DrawButton): Part {
    if (this.claiming === me && !mayClaimDraw(game, me)) this.claiming = null;
    const button = (name: 'cancel' | 'move' | 'now', picture: Action['icon'], act: () => void) => draw({ name: `claim-${name}`, label: sayLaws(`claim.${name}`), icon: picture, message: { t: '' }, act });
    if (this.parts.mover.claiming && game.turn === me) {
      return html`<p class="offer theirs" data-testid="claim-armed">
        <span>${sayLaws('claim.armed')}</span> <span class="answers">${button('cancel', 'cross', () => this.arm(false))}</span>
      </p>`;
    }
    if (this.claiming !== me) return nothing;
    return html`<div class="claim-ways" role="group" aria-label=${sayLaws('claim.ask')} data-testid="claim-ask">
      ${button('now', 'half', () => this.claim(me))} ${button('move', 'pawn', () => this.arm(true))}
      ${button('cancel', 'cross', () => this.ask(null))}
    </div>`;
  }

  /** The opponent's offer to play anew, because of a wrong position or wrong colours (7.1, 7.2); nothing without one. */
  anew({ offers, status }: GameSnapshot, me: Color, draw: DrawButton): Part {
    const what = (['position', 'colors'] as const).find((kind) => offers[kind] === opposite(me));
    if (what === undefined || status === 'over') return nothing;
    return html`<p class="offer theirs">
      <span>${say('offer.theirs', { what: say(`offer.${what}`) })}</span> <span class="answers">${this.answers(me, what, { t: 'restart', what }, draw)}</span>
    </p>`;
  }

  /** The answers to the opponent's offer. */
  answers(me: Color, what: string, message: Outgoing, draw: DrawButton): TemplateResult[] {
    const answer = (how: 'accept' | 'decline', picture: Action['icon']) =>
      draw(this.sends(me, `${how}-${what}`, say(`do.${how}`), picture, { ...message, do: how }, { main: how === 'accept' }));
    return [answer('accept', 'yes'), answer('decline', 'cross')];
  }

  /** Cancel the claim that waits. Returns whether one did. */
  cancel(): boolean {
    const waits = this.claiming !== null || this.parts.mover.claiming;
    if (waits) this.arm(false);
    return waits;
  }

  private adjust(game: GameSnapshot, me: Color): Action {
    const pressed = game.turn === me && game.laws?.adjusting === true;
    const more = { long: sayLaws('adjust.long'), off: stageOf(game, me) !== 'free' && !pressed, pressed };
    return this.sends(me, 'adjust', sayLaws(pressed ? 'adjust.off' : 'adjust'), 'hand', { t: 'signal', on: !pressed }, more);
  }

  /** Before the move a claim, after it an offer. */
  private draw(game: GameSnapshot, me: Color): Action {
    const isMade = stageOf(game, me) === 'made';
    if (isMade || gameOf(game.variant).notation !== 'san') {
      const off = !isMade || isPromoting(game) || !mayOfferDraw(game, me);
      return this.sends(me, 'draw', sayLaws('draw.offer'), 'half', { t: 'draw', do: 'offer' }, { long: sayLaws('draw.offer.long'), off });
    }
    const act = () => this.ask(me);
    return { name: 'claim', label: sayLaws('draw.claim'), long: sayLaws('draw.claim.long'), icon: 'half', message: { t: '' }, off: !mayClaimDraw(game, me), act };
  }

  private illegal({ laws, rules, turn }: GameSnapshot, me: Color): Action {
    const key = rules === 'official' ? 'correct' : 'illegal';
    const off = turn !== me || laws?.may_claim !== true;
    return this.sends(me, 'illegal', sayLaws(key), 'eye', { t: 'claim', what: 'illegal_move' }, { long: sayLaws(`${key}.long`), off });
  }

  private resign(me: Color): Action {
    const asks = this.app.settings.now.confirmResign;
    const grave = { label: say('do.resign.ask'), question: say('ask.resign') };
    return this.sends(me, 'resign', say('do.resign'), 'flag', { t: 'resign' }, asks ? { grave } : {});
  }

  private sends(me: Color, name: string, label: string, picture: Action['icon'], message: Outgoing, more: Partial<Action>): Action {
    return { name, label, icon: picture, message, act: () => this.requests.send(me, message), ...more };
  }

  private ask(color: Color | null): void {
    this.claiming = color;
    this.app.changed();
  }

  private claim(me: Color): void {
    this.ask(null);
    void this.requests.send(me, { t: 'draw', do: 'claim' });
  }

  /** The next move is claimed with, or no longer. */
  private arm(on: boolean): void {
    this.claiming = null;
    this.parts.mover.claim(on);
  }
}
