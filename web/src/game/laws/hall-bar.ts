/** The bar of each player when two people sit at one device: name, clock, clock button and actions, at their edge. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { browserStorage } from '../../browser/storage';
import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { endOf, resultOf } from '../../state/result-text';
import { personText } from '../../ui/person-name';
import { sayLaws } from '../../words/laws';
import { say, SIDES } from '../../words/words';
import { boardFlips } from '../play/board-turns';
import type { Action, DrawButton } from '../view/action';
import { ActionButtons } from '../view/action-buttons';
import type { Clocks } from '../view/clocks';
import type { Buttons } from './buttons';
import type { Requests } from './requests';

type Part = TemplateResult | typeof nothing;

const UPRIGHT = 'hall.upright';

export class HallBar {
  /** Whether the pieces of the far side are upside down, as on a board between two people. */
  turnsFarPieces = browserStorage('local')?.getItem(UPRIGHT) !== 'true';
  /** Of each player. */
  private readonly drawn: Readonly<Record<Color, ActionButtons>>;

  constructor(
    private readonly buttons: Buttons,
    private readonly requests: Requests,
    private readonly clocks: Pick<Clocks, 'faces'>,
    private readonly changed: () => void,
    tell: (text: string) => void,
  ) {
    const made = () => new ActionButtons(changed, tell, () => undefined);
    this.drawn = { w: made(), b: made() };
  }

  close(): void {
    for (const { question } of Object.values(this.drawn)) question.clear();
  }

  /** `asked`: what asks this player something; `note`: beside their name. */
  draw(game: GameSnapshot, color: Color, place: 'top' | 'bottom', asked: (button: DrawButton) => Part, note: string): TemplateResult {
    const { user } = game.players[color];
    const own = this.drawn[color];
    const named = (action: Action): Action => ({ ...action, name: `${action.name}-${color}` });
    const button = (action: Action) => own.draw(named(action));
    const actions = this.actions(game, color);
    const question = own.askedOf(actions.map(named))?.grave?.question;
    const far = place === 'top' && !boardFlips();
    const drawn = html`<section class="hall-bar ${place} ${far ? 'far' : ''}" aria-label=${SIDES[color]} data-testid="bar-${color}">
      <div class="hall-who">
        <b>${SIDES[color]}</b> <span>${user ? personText(user) : say('nobody')}</span>
        ${note === '' ? nothing : html`<span class="player-note" data-testid="note-${color}">${note}</span>`} ${this.clocks.faces[color].more}
      </div>
      ${game.clock === null ? nothing : this.clocks.faces[color].element} ${this.buttons.press(game, color, `press-${color}`)}
      <div class="hall-ask">${this.ask(game, color, button, question === undefined ? asked : () => own.asked(question))}</div>
      <div class="doing">
        ${actions.map(button)}
      </div>
    </section>`;
    own.clickGuard.sweep();
    return drawn;
  }

  /** Whether far pieces are upside down; not while the board itself is turned. */
  choice(): TemplateResult {
    const change = (event: Event) => {
      this.turnsFarPieces = (event.target as HTMLInputElement).checked;
      try {
        browserStorage('local')?.setItem(UPRIGHT, String(!this.turnsFarPieces));
      } catch {
        // The storage is full: the choice lasts until the page is left.
      }
      this.changed();
    };
    return html`<label class="turning">
      <input type="checkbox" data-testid="far-pieces" .checked=${this.turnsFarPieces} ?disabled=${boardFlips()} @change=${change} />
      ${sayLaws('hall.turn.far')}
    </label>`;
  }

  /** After the game each asks for another one, or agrees to it. */
  private actions(game: GameSnapshot, color: Color): Action[] {
    const flag = this.buttons.flag(game, color);
    if (game.status !== 'over') return [...(flag === null ? [] : [flag]), ...this.buttons.of(game, color)];
    const act = () => this.requests.send(color, { t: 'rematch', do: 'offer' });
    return game.next === null ? [{ name: 'rematch', label: say('do.rematch'), icon: 'again', message: { t: '' }, off: game.offers.rematch !== null, act }] : [];
  }

  private ask(game: GameSnapshot, color: Color, button: DrawButton, asked: (button: DrawButton) => Part): Part {
    const over = game.status === 'over';
    const what = (['draw', 'rematch'] as const).find((kind) => game.offers[kind] === opposite(color) && over === (kind === 'rematch'));
    if (what === undefined) return over ? html`<p class="offer small"><span><strong>${resultOf(game)}</strong> ${endOf(game)}</span></p>` : asked(button);
    return html`<p class="offer theirs">
      <span>${say('offer.theirs', { what: say(`offer.${what}`) })}</span> <span class="answers">${this.buttons.answers(color, what, { t: what }, button)}</span>
    </p>`;
  }
}
