/** A game by the Laws on its page: the parts that it adds, wired to each other. */

import '../../styles/laws.css';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { Color, GameMessage, GameSnapshot } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { GameStore } from '../../state/game-store';
import { sayLaws } from '../../words/laws';
import { boardFlips } from '../play/board-turns';
import type { Action, DrawButton } from '../view/action';
import type { ByLaws } from '../view/by-laws';
import type { GameParts } from '../view/layout';
import { Buttons } from './buttons';
import { LawsCommands } from './commands';
import { HallBar } from './hall-bar';
import { HandBoard } from './hand-board';
import { lineOf } from './lines';
import { News } from './news';
import { Requests } from './requests';
import { ScoreSheet } from './score-sheet';
import { SecondPlayer } from './second-player';
import { flagOfOpponent } from './stage';

type Part = TemplateResult | typeof nothing;

const COLORS = ['w', 'b'] as const;

export class LawsGame implements ByLaws {
  readonly access: LawsCommands;
  private readonly requests: Requests;
  private readonly board: HandBoard;
  private readonly buttons: Buttons;
  private readonly scoreSheet: ScoreSheet;
  private readonly news: News;
  private readonly second: SecondPlayer;
  private readonly hall: HallBar;
  private flagDown = false;

  constructor(
    private readonly app: App,
    id: string,
    store: GameStore,
    private readonly parts: GameParts,
  ) {
    this.requests = new Requests(app, id, store, parts);
    this.board = new HandBoard(app.settings, store, parts, this.requests);
    this.buttons = new Buttons(app, parts, this.requests);
    this.scoreSheet = new ScoreSheet(app, id, parts.seat, this.requests);
    this.news = new News(app, parts);
    this.second = new SecondPlayer(app, id, store);
    const { buttons, requests } = this;
    this.hall = new HallBar(buttons, requests, parts.clocks, () => app.changed(), (text) => parts.access.tell(text));
    this.access = new LawsCommands({
      press: (color) => requests.press(color),
      actionsOf: (game, me) => this.all(game, me),
      boardAt: (game) => parts.mover.gameBoard.kind && { kind: parts.mover.gameBoard.kind, base: parts.mover.gameBoard.at(game.moves.length, game) },
      writing: () => app.settings.now,
    });
  }

  close(): void {
    for (const part of [this.requests, this.board, this.second, this.hall]) part.close();
  }

  actions(game: GameSnapshot, own: readonly Color[]): Action[] {
    return own.length === 1 ? this.buttons.of(game, own[0]!) : [];
  }

  ask(game: GameSnapshot, own: readonly Color[], button: DrawButton): Part {
    return own.length === 1 ? this.asked(game, own[0]!, button) : nothing;
  }

  button(game: GameSnapshot, own: readonly Color[]): Part {
    return own.length === 1 ? this.buttons.press(game, own[0]!, 'press') : nothing;
  }

  flagButton(game: GameSnapshot, me: Color): Part {
    const flag = this.buttons.flag(game, me);
    if (flag === null) return nothing;
    return html`<button class="more-time" data-testid="flag" aria-label=${flag.long} title=${flag.long} ?disabled=${flag.off} @click=${() => void flag.act?.()}>
      ${flag.label}
    </button>`;
  }

  sheet(game: GameSnapshot, own: readonly Color[]): TemplateResult | null {
    return own.length === 1 ? this.scoreSheet.draw(game, own[0]!) : null;
  }

  signatures(game: GameSnapshot, own: readonly Color[]): Part {
    return own.length === 1 ? this.scoreSheet.signatures(game, own[0]!) : nothing;
  }

  chooser(game: GameSnapshot, bottom: Color): Part {
    return this.board.chooser(game, bottom);
  }

  bar(game: GameSnapshot, color: Color, place: 'top' | 'bottom'): TemplateResult | null {
    if (!this.parts.seat.isShared()) return null;
    return this.hall.draw(game, color, place, (button) => this.asked(game, color, button), this.note(game, color));
  }

  turnsFarPieces(): boolean {
    return this.parts.seat.isShared() && this.hall.turnsFarPieces && !boardFlips();
  }

  line(game: GameSnapshot, own: readonly Color[]): Part {
    const text = game.status === 'over' ? '' : lineOf(game, own, this.app.settings.now);
    if (own.length === 1) return text === '' ? nothing : html`<p class="offer laws-line" data-testid="laws-line">${text}</p>`;
    return html`${this.parts.seat.isShared() ? this.hall.choice() : nothing}
      <p class="laws-line" data-testid="laws-line">${this.news.ruling === '' ? text : this.ruling()}</p>`;
  }

  note({ laws }: GameSnapshot, color: Color): string {
    const n = laws?.illegal[color] ?? 0;
    return n === 0 ? '' : sayLaws('illegal.count', { n });
  }

  touch(square: Square): void {
    if (this.board.onSelect()) this.board.touch(square, false);
  }

  take(message: GameMessage, was: GameSnapshot, now: GameSnapshot): void {
    if (message.t === 'ruling') this.requests.ruled();
    this.news.take(message, was, now);
  }

  /** A flag that is claimed falls on the page without an event. */
  tick(game: GameSnapshot): void {
    const down = COLORS.some((color) => flagOfOpponent(game, color, this.app.socket.time.now()));
    if (down === this.flagDown) return;
    this.flagDown = down;
    this.app.changed();
  }

  refresh(): void {
    this.second.refresh();
  }

  cancel(): boolean {
    return this.buttons.cancel();
  }

  /** A claim that waits, or the last ruling. */
  private asked(game: GameSnapshot, me: Color, button: DrawButton): Part {
    const anew = this.buttons.anew(game, me, button);
    if (anew !== nothing) return anew;
    const claims = this.buttons.claims(game, me, button);
    if (claims !== nothing) return claims;
    return this.news.ruling === '' ? nothing : html`<p class="offer theirs small">${this.ruling()}</p>`;
  }

  private ruling(): TemplateResult {
    return html`<b data-testid="ruling">${this.news.ruling}</b>`;
  }

  private all(game: GameSnapshot, me: Color): Action[] {
    const flag = this.buttons.flag(game, me);
    return [...(flag === null ? [] : [flag]), ...this.buttons.of(game, me)];
  }
}
