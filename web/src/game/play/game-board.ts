/** The board of a game: its positions, legal moves and current view. */

import { Board } from '../../board/board';
import type { GameKind } from '../../board/core/game-kind';
import type { BoardView, LegalLeaps } from '../../board/core/play-board';
import { kindOf } from '../../board/kinds';
import { Replay } from '../../board/replay';
import type { GameSnapshot, Leaps } from '../../net/protocol';
import { opposite } from '../../notation/color';
import type { Placement } from '../../notation/pieces';
import type { Destinations } from '../../notation/uci';
import { reducesMotion } from '../../settings/settings';
import type { SettingsStore } from '../../settings/store';
import type { GameStore } from '../../state/game-store';
import { boardView } from './board-view';
import { Claimable } from './claimable';
import type { PendingMove } from './pending-move';
import type { Seat } from './seat';

export class GameBoard {
  readonly board: Board;
  /** Null until the board is loaded. */
  kind: GameKind | null = null;
  /** By the Laws: the view of a board on which pieces can be put anywhere. */
  byHand: ((view: BoardView, game: GameSnapshot) => BoardView) | null = null;
  private coming = false;
  private replay = new Replay(null);
  private claimable = new Claimable(this.replay);
  private legal: { told: string[]; destinations: Destinations } | null = null;

  /** `onmove`: as of `Board`. */
  constructor(
    private readonly settings: SettingsStore,
    private readonly store: GameStore,
    private readonly seat: Seat,
    private readonly pending: PendingMove,
    /** Whether the person may move when it is their turn, or soon. */
    private readonly free: (game: GameSnapshot) => boolean | 'soon',
    onmove: (moves: string[], ahead: boolean) => void,
  ) {
    this.board = new Board(onmove);
  }

  /** Start with this game; `changed` is called when the board is loaded. */
  begin(game: GameSnapshot, changed: () => void): void {
    if (this.coming) return;
    const kind = kindOf(game);
    if (!(kind instanceof Promise)) return this.take(kind, game.fen);
    this.coming = true;
    kind
      .then(
        (come) => {
          this.take(come, game.fen);
          changed();
        },
        // The next draw tries again.
        () => undefined,
      )
      .finally(() => (this.coming = false));
  }

  private take(kind: GameKind, fen: string | null): void {
    this.kind = kind;
    this.board.begin(kind.createBoard);
    this.replay = new Replay(fen, kind);
    this.claimable = new Claimable(this.replay);
  }

  /** The pieces after `ply` half-moves. */
  at(ply: number, game: GameSnapshot): Placement {
    return this.replay.at(ply, game.moves, game.leaps, game.laws?.positions);
  }

  /** The position after `shown` half-moves; only the pieces while looking back. */
  position(shown: number, game: GameSnapshot): string {
    if (shown === game.moves.length || this.kind === null) return game.position;
    return this.kind.write(this.at(shown, game), (game.moves.length - shown) % 2 === 0 ? game.turn : opposite(game.turn));
  }

  /** Whether a draw can probably be claimed in the current position. */
  isClaimable(game: GameSnapshot): boolean {
    return this.claimable.in(game);
  }

  /** Legal moves that probably lead to a claimable position. */
  claimableWith(game: GameSnapshot): readonly string[] {
    return this.legalMoves === null ? [] : this.claimable.with(game, this.legalMoves);
  }

  /** Legal moves as of the last `show`; null when it is not the person's turn or they are not known yet. */
  get legalMoves(): string[] | null {
    return this.legal?.told ?? null;
  }

  /** Paths of the legal captures; null if none or not known. */
  get leaps(): LegalLeaps | null {
    return this.store.leaps();
  }

  /** Whether `move` would capture anything. */
  takes(move: string, game: GameSnapshot): boolean {
    return (this.kind?.captures(this.at(game.moves.length, game), move, this.wayOf(move)).length ?? 0) > 0;
  }

  private wayOf(move: string): Leaps | null {
    return this.leaps?.[move]?.[0] ?? null;
  }

  /** `hint`: a suggested move. */
  show(game: GameSnapshot, shown: number, hint: string | null = null): void {
    const settings = this.settings.now;
    const { seat, kind, replay, pending } = this;
    if (kind === null) return;
    const own = seat.ownSides();
    const free = own.includes(game.turn) && this.free(game);
    const told = free === true ? this.store.moves() : null;
    if (told === null) this.legal = null;
    else if (this.legal?.told !== told) this.legal = { told, destinations: kind.destinations(told, game) };
    this.board.setOptions({ input: settings.moveInput, animation_ms: reducesMotion(settings) ? 0 : settings.animation });
    const targets = this.legal?.destinations ?? null;
    const view = boardView({
      game,
      own,
      bottom: seat.bottom(game),
      shown,
      kind,
      replay,
      pending,
      destinations: targets,
      leaps: this.leaps,
      premove: settings.premove && game.laws === undefined,
      soon: game.status !== 'over' && free !== false && told === null && game.clock?.held !== 'pause',
      hint,
    });
    const isNow = shown === game.moves.length && pending.shownMove === null;
    this.board.show(isNow && this.byHand !== null ? this.byHand(view, game) : view);
  }

  /** Scroll the board into view. */
  scrollIntoView(): void {
    const behavior = reducesMotion(this.settings.now) ? 'instant' : 'smooth';
    requestAnimationFrame(() => this.board.element.scrollIntoView({ block: 'nearest', behavior }));
  }
}
