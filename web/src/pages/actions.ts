/** What a player can do besides moving: offers and their answers, resigning, claims. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Color, GameSnapshot, Offers, Outgoing } from '../protocol';
import { opposite } from '../store';

interface Action {
  name: string;
  label: string;
  message: Outgoing;
  /** Asks once more before it is done. */
  grave?: boolean;
}

const WORDS: Record<keyof Offers, string> = { draw: 'a draw', takeback: 'to take a move back', rematch: 'a rematch' };
const CONFIRM_WITHIN_MS = 4_000;
const MORE_TIME_S = 15;

export class ActionBar {
  private confirming: string | null = null;
  private expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    private readonly send: (message: Outgoing) => void,
  ) {}

  draw(game: GameSnapshot, own: Color[]): TemplateResult {
    const me = own.length === 1 ? own[0]! : null;
    return html`<div class="actions">
      ${me === null ? nothing : this.answers(game, me)}
      <div class="buttons">
        ${(game.status === 'over' ? afterwards(game, own) : available(game, own)).map((action) => this.button(action))}
        ${game.next ? html`<a class="button main" data-testid="next" href="/game/${game.next}" data-page>Next game</a>` : nothing}
        ${game.status === 'over'
          ? html`<a class="button" data-testid="pgn" href="/api/v1/games/${game.g}/pgn">PGN</a>
              <a class="button" href="/" data-page>Lobby</a>`
          : nothing}
      </div>
    </div>`;
  }

  private answers(game: GameSnapshot, me: Color): TemplateResult[] {
    const open = (Object.keys(WORDS) as (keyof Offers)[]).filter((what) => game.offers[what] !== null);
    return open.map((what) =>
      game.offers[what] === me
        ? html`<p class="offer" data-testid="offered-${what}">You offered ${WORDS[what]}.</p>`
        : html`<p class="offer">
            Your opponent offers ${WORDS[what]}.
            ${this.button({ name: `accept-${what}`, label: 'Accept', message: { t: what, do: 'accept' } })}
            ${this.button({ name: `decline-${what}`, label: 'Decline', message: { t: what, do: 'decline' } })}
          </p>`,
    );
  }

  private button(action: Action): TemplateResult {
    const asking = this.confirming === action.name;
    return html`<button data-testid=${action.name} class=${asking ? 'grave' : ''} @click=${() => this.click(action)}>
      ${asking ? `${action.label}?` : action.label}
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
    this.send(action.message);
  }

  private calm(): void {
    this.confirming = null;
    this.app.changed();
  }
}

function available(game: GameSnapshot, own: Color[]): Action[] {
  if (own.length === 0) return [];
  const begun = game.moves.length >= 2;
  const actions: Action[] = [];
  if (!begun) actions.push({ name: 'abort', label: 'Abort', message: { t: 'abort' } });
  if (begun) actions.push({ name: 'resign', label: 'Resign', message: { t: 'resign' }, grave: true });
  const me = own[0]!;
  if (own.length === 2) return actions;
  if (begun && game.offers.draw === null) {
    actions.push({ name: 'draw', label: 'Offer a draw', message: { t: 'draw', do: 'offer' } });
  }
  if (begun && game.turn === me) {
    actions.push({ name: 'claim-draw', label: 'Claim a draw', message: { t: 'draw', do: 'claim' } });
  }
  if (game.moves.length > 0 && game.offers.takeback === null) {
    actions.push({ name: 'takeback', label: 'Take back', message: { t: 'takeback', do: 'offer' } });
  }
  if (begun && game.clock !== null) {
    const label = `Give ${MORE_TIME_S} s`;
    actions.push({ name: 'moretime', label, message: { t: 'moretime', seconds: MORE_TIME_S } });
  }
  if (begun && game.players[opposite(me)].online === false) {
    actions.push({ name: 'claim-left-win', label: 'Opponent left: win', message: { t: 'claim', what: 'win' } });
    actions.push({ name: 'claim-left-draw', label: 'Opponent left: draw', message: { t: 'claim', what: 'draw' } });
  }
  return actions;
}

function afterwards(game: GameSnapshot, own: Color[]): Action[] {
  if (own.length === 0 || game.next || game.offers.rematch !== null) return [];
  return [{ name: 'rematch', label: 'Rematch', message: { t: 'rematch', do: 'offer' } }];
}
