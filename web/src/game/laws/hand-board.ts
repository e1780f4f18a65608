/** The board of a game by the Laws: pieces as they lie, marks of touched ones, and what the pointer touches. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { promotionChooser } from '../../board/chess/promotion';
import type { BoardView } from '../../board/core/play-board';
import type { Color, GameSnapshot } from '../../net/protocol';
import type { Square } from '../../notation/pieces';
import type { SettingsStore } from '../../settings/store';
import type { GameStore } from '../../state/game-store';
import { gameOf } from '../../variants/registry';
import type { GameParts } from '../view/layout';
import { boundTargets, byHand, isPromoting, squareUnder } from './hands';
import type { Requests } from './requests';
import { Touches } from './touches';

type Laws = NonNullable<GameSnapshot['laws']>;

const NONE: ReadonlyMap<Square, string> = new Map();

export class HandBoard {
  private readonly touches: Touches;
  /** Squares whose touch was sent in this state. */
  private sent: { laws: Laws | null; squares: Set<Square> } = { laws: null, squares: new Set() };
  private view: { of: BoardView; laws: Laws; is: BoardView } | null = null;
  private marks: { laws: Laws; is: ReadonlyMap<Square, string> } | null = null;

  constructor(
    private readonly settings: Pick<SettingsStore, 'now'>,
    private readonly store: GameStore,
    private readonly parts: Pick<GameParts, 'mover' | 'navigation' | 'seat'>,
    private readonly requests: Requests,
  ) {
    const { gameBoard } = parts.mover;
    gameBoard.byHand = (view, game) => this.shown(view, game);
    this.touches = new Touches(gameBoard.board.element, {
      squareAt: (event) => this.squareAt(event),
      onSelect: () => this.onSelect(),
      touch: (square, held) => this.touch(square, held),
    });
  }

  close(): void {
    this.touches.close();
    this.parts.mover.gameBoard.byHand = null;
  }

  /** Whether selecting a piece touches it. */
  onSelect(): boolean {
    return this.settings.now.touch === 'select';
  }

  /** A piece was touched; `held`: deliberately. */
  touch(square: Square, held: boolean): void {
    const { game } = this.store;
    const { seat, mover, navigation } = this.parts;
    const laws = game?.laws;
    if (!game || !laws || game.status === 'over' || !seat.ownSides().includes(game.turn)) return;
    if (laws.adjusting || laws.made !== null || mover.claiming || mover.pending.sent !== null || !navigation.isLive(game.moves.length)) return;
    if (this.sent.laws !== laws) this.sent = { laws, squares: new Set() };
    const board = mover.gameBoard.at(game.moves.length, game);
    const piece = board.get(square);
    if (piece === undefined || laws.touched.includes(square) || this.sent.squares.has(square)) return;
    // With a piece in hand, another of the opponent's is where it goes.
    const hasOwn = [...laws.touched, ...this.sent.squares].some((other) => board.get(other)?.color === game.turn);
    if (!held && piece.color !== game.turn && hasOwn) return;
    this.sent.squares.add(square);
    void this.requests.send(game.turn, { t: 'touch', square });
  }

  /** The choice of the piece that a pawn on the last rank becomes. */
  chooser(game: GameSnapshot, bottom: Color): TemplateResult | typeof nothing {
    const { mover, seat } = this.parts;
    const made = game.laws?.made;
    const isMine = game.status !== 'over' && seat.ownSides().includes(game.turn);
    if (!made || !isMine || mover.pending.sent !== null || !isPromoting(game)) return nothing;
    const moves = [...(gameOf(game.variant).promotions ?? 'qrbn')].map((letter) => made.move + letter);
    return html`${promotionChooser(moves, bottom, (letter) => letter !== null && mover.drop([made.move + letter], false))}`;
  }

  private shown(view: BoardView, game: GameSnapshot): BoardView {
    const { laws } = game;
    const { gameBoard } = this.parts.mover;
    const { kind } = gameBoard;
    if (!laws || kind === null) return view;
    if (this.view?.laws === laws && isSame(this.view.of, view)) return this.view.is;
    const base = gameBoard.at(game.moves.length, game);
    const destinations = view.destinations && byHand({ kind, game, base, legal: view.destinations });
    const { made } = laws;
    const is: BoardView = {
      ...view,
      destinations: destinations?.size === 0 ? null : destinations,
      hidesTargets: true,
      marks: game.status === 'over' ? NONE : this.marksOf(laws),
      ...(made && { fen: made.position, last: kind.endpoints(made.move), movePath: kind.pathOf(made.move, null), check: false }),
    };
    this.view = { of: view, laws, is };
    return is;
  }

  private marksOf(laws: Laws): ReadonlyMap<Square, string> {
    const { kind } = this.parts.mover.gameBoard;
    if (kind === null || laws.made !== null) return NONE;
    if (this.marks?.laws === laws) return this.marks.is;
    const targets = boundTargets(kind, laws).map((square) => [square, 'laws-bound'] as const);
    const is = new Map([...targets, ...laws.touched.map((square) => [square, 'laws-touched'] as const)]);
    this.marks = { laws, is };
    return is;
  }

  private squareAt(event: PointerEvent): Square | null {
    const { board, kind } = this.parts.mover.gameBoard;
    const { game } = this.store;
    const squares = board.element.querySelector('cg-board, .ground') ?? board.element;
    return kind && game && squareUnder(kind, squares.getBoundingClientRect(), this.parts.seat.bottom(game), event);
  }
}

/** Whether both show the same; the destinations are those of the server's list. */
const isSame = (one: BoardView, other: BoardView): boolean =>
  one.fen === other.fen &&
  one.bottom === other.bottom &&
  one.destinations === other.destinations &&
  one.turn === other.turn &&
  one.last.join() === other.last.join() &&
  one.check === other.check &&
  one.premoveColor === other.premoveColor &&
  one.soon === other.soon &&
  one.hint?.join() === other.hint?.join();
