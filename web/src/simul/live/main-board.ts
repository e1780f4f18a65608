/** The large board: the page of its game inside the simul's page. */

import type { App } from '../../app';
import { GamePage } from '../../game/page/game-page';
import type { GameExtension } from '../../game/play/extension';
import type { SimulBoard, SimulSnapshot } from '../../net/protocol';
import { provisionalGame } from '../state/provisional-game';
import { actsAsHost } from '../state/simul-store';
import { PreloadedGames } from './preloaded-games';

export class MainBoard {
  readonly element = document.createElement('div');
  private page: GamePage | null = null;
  private g: string | null = null;
  private actingAsHost = false;
  private readonly preloaded: PreloadedGames;

  constructor(
    private readonly app: App,
    private readonly extension: GameExtension,
  ) {
    this.preloaded = new PreloadedGames(app.socket);
    this.element.className = 'simul-stage';
    this.element.dataset.testid = 'simul-stage';
  }

  /** Show `board` at once; the rest of its game follows. `next`: games to load in advance. */
  show(now: SimulSnapshot, board: SimulBoard | undefined, next: readonly string[]): void {
    // Whoever plays the host's side now subscribes again, as the player.
    const actingAsHost = actsAsHost(now);
    if (board && (board.g !== this.g || actingAsHost !== this.actingAsHost)) {
      this.turn(now, board);
      this.actingAsHost = actingAsHost;
    }
    this.preloaded.keep(next.filter((g) => g !== this.g));
    this.page?.draw(this.element);
  }

  close(): void {
    this.page?.close();
    this.preloaded.close();
  }

  yourMove(): boolean {
    return this.page?.yourMove() ?? false;
  }

  private turn(now: SimulSnapshot, board: SimulBoard): void {
    const store = this.preloaded.takeOver(board.g);
    // An older state than the one on the board would be a step back.
    if (store.game === null || store.game.moves.length < board.ply) store.guess(provisionalGame(now, board));
    this.page?.close();
    this.g = board.g;
    this.element.dataset.board = String(board.board);
    this.page = new GamePage(this.app, board.g, { extension: this.extension, store, hosts: actsAsHost(now) });
  }
}
