/** The board of a game: what stood on it after each half-move, what may be moved on it, and what it shows now. */

import { Board } from '../board';
import { destinations, type Destinations } from '../moves';
import type { Placement } from '../notation';
import type { GameSnapshot } from '../protocol';
import { keepsStill } from '../settings';
import type { SettingsStore } from '../settings-store';
import type { GameStore } from '../store';
import { boardView } from './board-view';
import { Claimable } from './claimable';
import type { Hand } from './hand';
import { fenOf, Replay } from './replay';
import type { Seat } from './seat';

export class Field {
  readonly board: Board;
  private replay = new Replay(null);
  private claimable = new Claimable(this.replay);
  private legal: { told: string[]; destinations: Destinations } | null = null;

  /** `onmove` is told of a piece put down by hand, as `Board` tells it. */
  constructor(
    private readonly settings: SettingsStore,
    private readonly store: GameStore,
    private readonly seat: Seat,
    private readonly hand: Hand,
    /** Whether the person may move, if it is his turn. */
    private readonly free: (game: GameSnapshot) => boolean,
    onmove: (moves: string[], ahead: boolean) => void,
  ) {
    this.board = new Board(onmove);
  }

  /** The game begins at `fen`, or at the usual position. */
  begin(fen: string | null): void {
    this.replay = new Replay(fen);
    this.claimable = new Claimable(this.replay);
  }

  /** The pieces after `ply` half-moves. */
  at(ply: number, game: GameSnapshot): Placement {
    return this.replay.at(ply, game.moves);
  }

  /** The position after `shown` half-moves; of one looked back at only the pieces. */
  position(shown: number, game: GameSnapshot): string {
    return shown === game.moves.length ? game.position : fenOf(this.at(shown, game));
  }

  /** Whether the position looks as if a draw could be claimed in it. */
  isClaimable(game: GameSnapshot): boolean {
    return this.claimable.in(game);
  }

  /** The person's moves that look as if a draw could be claimed with them. */
  claimableWith(game: GameSnapshot): readonly string[] {
    return this.told === null ? [] : this.claimable.with(game, this.told);
  }

  /** Legal moves of the person as of the last showing; null when it is not his turn, or they have not been told. */
  get told(): string[] | null {
    return this.legal?.told ?? null;
  }

  show(game: GameSnapshot, shown: number): void {
    const settings = this.settings.now;
    const { seat, replay, hand } = this;
    const own = seat.own();
    const told = own.includes(game.turn) && this.free(game) ? this.store.moves() : null;
    if (told === null) this.legal = null;
    else if (this.legal?.told !== told) this.legal = { told, destinations: destinations(told, game) };
    this.board.handle({ input: settings.moveInput, animation_ms: keepsStill(settings) ? 0 : settings.animation });
    const targets = this.legal?.destinations ?? null;
    this.board.show(
      boardView({ game, own, bottom: seat.bottom(game), shown, replay, hand, destinations: targets, premove: settings.premove }),
    );
  }

  /** Bring the board in sight. */
  reveal(): void {
    const behavior = keepsStill(this.settings.now) ? 'instant' : 'smooth';
    requestAnimationFrame(() => this.board.element.scrollIntoView({ block: 'nearest', behavior }));
  }
}
